import { type Logger, silentLogger } from '@octavo/core'
import {
  type Advice,
  adviseOnLists,
  type CountedContent,
  checkCounts,
  findUnfilled,
  type LoggedList,
  planSchema,
  type SchemaUpdate,
} from '@octavo/core/internal'
import { checkServer, octavoOptions, type ServerOptions } from '@octavo/server'
import { readAccessLog } from '../access-log.ts'
import { counted } from '../counted.ts'
import { createLogger } from '../logger.ts'
import { projectReport } from '../project/report.ts'
import { type CommonFlags, configured } from '../server-options.ts'
import { UsageError } from '../usage-error.ts'
import { unfilledLine } from './fill.ts'

export interface CheckFlags extends CommonFlags {
  readonly schema?: true
  /** A log of requests; `-` is the standard input. */
  readonly explain?: string
  readonly counts?: true
  readonly repair?: true
}

/**
 * `octavo check`: the number of definitions, all errors in them and in the routes of plugins, and the parts of a Strapi 4 project that do not run in Octavo.
 * Opens the database for `--schema` and `--counts`, and one of a PostgreSQL server for the attributes that entries lack. Exit code 1 when these differ and are not repaired.
 */
export async function check(flags: CheckFlags): Promise<void> {
  if (flags.repair && !flags.counts)
    throw new UsageError('--repair mends what --counts finds: give both, or neither')
  const { config, options, project } = await configured(flags, await createLogger(flags))
  const warnings: string[] = []
  const report = project ? projectReport(project) : []
  const logger: Logger = {
    ...silentLogger,
    warn: (_, message) => void warnings.push(message),
    // Plugins log by a child, and their warnings belong to the report.
    child: () => logger,
  }
  const { registry, unchecked } = checked(
    () => checkServer({ ...options, logger }),
    () => printFindings(warnings, report),
  )
  const { contentTypes, components } = registry
  for (const { plugin, reason } of unchecked)
    warnings.push(`The routes of the plugin "${plugin}" are checked at a start only: ${reason}`)
  const isClean = warnings.length === 0 && !project?.findings.length
  console.log(
    `${counted(contentTypes.size, 'content-type')} and ${counted(components.size, 'component')}${isClean ? ', no mistakes' : ''}`,
  )
  printFindings(warnings, report)
  const unfilled = await unfilledLines(options, flags)
  if (unfilled.length > 0)
    console.log(['', 'Without values:', ...unfilled.map((line) => `  ${line}`)].join('\n'))
  if (flags.schema) console.log(schemaReport(await planSchema(octavoOptions(options))))
  if (flags.counts) {
    const repair = flags.repair === true
    const counted = await checkCounts(octavoOptions(options), { repair })
    console.log(countsReport(counted, repair))
    const isLeft = counted.damage.some(({ isMended }) => !isMended)
    if (isLeft || (counted.totals.length > 0 && !repair)) process.exitCode = 1
  }
  if (flags.explain !== undefined) {
    const lists = await listsOf(flags.explain, config.api?.rest?.prefix ?? '/api')
    console.log(explainReport(adviseOnLists(octavoOptions(options), lists), lists.length))
  }
}

/**
 * The attributes that entries lack. Without `--schema` only a PostgreSQL server is looked at: an embedded database takes seconds to open, and
 * belongs to one process.
 */
async function unfilledLines(options: ServerOptions, { schema }: CheckFlags): Promise<readonly string[]> {
  const { database } = options
  if (!schema && !(typeof database === 'string' && /^postgres(ql)?:/.test(database))) return []
  try {
    const unfilled = await findUnfilled(octavoOptions(options))
    // A default is for new entries; another one may have no value on purpose.
    return unfilled
      .filter(({ attribute }) => schema || attribute.definition.default === undefined)
      .map(unfilledLine)
  } catch (error) {
    if (schema) throw error
    return [`This was not checked: ${error instanceof Error ? error.message : String(error)}`]
  }
}

/** Does the checks. Mistakes do not hide the other findings: these are printed before the error is. */
function checked<Result>(check: () => Result, printOthers: () => void): Result {
  try {
    return check()
  } catch (error) {
    printOthers()
    throw error
  }
}

function printFindings(warnings: readonly string[], report: readonly string[]): void {
  const times = Map.groupBy(warnings, (line) => line)
  const lines = [...times].map(([line, all]) =>
    all.length === 1 ? `  ${line}` : `  ${line} (${all.length} times)`,
  )
  if (lines.length > 0) console.log(['', 'Warnings:', ...lines].join('\n'))
  if (report.length > 0) console.log(report.join('\n'))
}

function countsReport({ totals, damage }: CountedContent, repaired: boolean): string {
  if (totals.length + damage.length === 0)
    return 'The kept totals are the numbers of entries, and all indexes and links fit the entries'
  const lines = [
    ...damage.map(({ text, isMended }) => (isMended ? `${text}: mended` : text)),
    ...totals.map(
      ({ uid, scope, kept, counted }) =>
        `${uid}${scope === '[]' ? '' : ` ${scope}`}: the kept total was ${kept}, and there are ${counted}${repaired ? '; counted again' : ''}`,
    ),
  ]
  return repaired ? lines.join('\n') : [...lines, 'octavo check --counts --repair mends this'].join('\n')
}

/** The requests for lists, by path. */
async function listsOf(log: string, prefix: string): Promise<readonly LoggedList[]> {
  const lists: LoggedList[] = []
  for await (const { path, query } of readAccessLog(log)) {
    const route = path.startsWith(`${prefix}/`) ? path.slice(prefix.length + 1).replace(/\/$/, '') : ''
    if (route !== '' && !route.includes('/')) lists.push({ route, query })
  }
  return lists
}

function explainReport(advice: readonly Advice[], lists: number): string {
  if (lists === 0) return 'The log has no requests for lists; see docs/indexes.md for the accepted formats'
  if (advice.length === 0) return `Every filter and sort of ${counted(lists, 'list')} has an index`
  return advice
    .map(({ uid, terms, times, index, search }) => {
      const cures = [
        index && `options.indexes: ${JSON.stringify({ attributes: index })}`,
        search && `options.search: ${JSON.stringify({ attributes: search })}`,
      ].filter((cure) => cure !== undefined)
      const cure = cures.join(', or ') || 'no index serves it'
      return `${uid}: no index serves ${terms} (${times} of ${counted(lists, 'list')})\n  ${cure}`
    })
    .join('\n')
}

/** The changes that the next start would make, with dropped indexes and keys first, then values that nothing reads. */
function schemaReport({ statements, warnings }: SchemaUpdate): string {
  if (statements.length + warnings.length === 0) return 'The database is up to date'
  const drops = statements.filter((statement) => /\bdrop\b/i.test(statement))
  const others = statements.filter((statement) => !drops.includes(statement))
  const list = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)]
  return [
    ...list('The next start drops, since it is no longer declared:', drops),
    ...list('The next start adds:', others),
    ...list('Warnings:', warnings),
  ].join('\n')
}
