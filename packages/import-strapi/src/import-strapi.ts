import { ImportError, type Octavo, sql } from '@octavo/core'
import { importStream } from '@octavo/core/internal'
import type { Registry } from '@octavo/core/plugin'
import { setCreators } from './load/creators.ts'
import { dataStream } from './load/stream.ts'
import type { LeftOutPart } from './model/definitions.ts'
import { type Problem, problemLine } from './plan/problem.ts'
import { type Plan, planOf } from './plan/report.ts'
import { type Scan, scan } from './plan/scan.ts'
import { withoutInvalid } from './plan/section-rows.ts'
import { webhooksName } from './plan/webhooks.ts'
import type { Outline, Source } from './source/source.ts'
import { type Comparison, verify } from './verify/verify.ts'

export interface ImportStrapiOptions {
  /** Leaves out invalid entries. Default false: any of them refuses the import. */
  readonly skipInvalid?: boolean
  /** Copies the files. Called when nothing speaks against the import any more, before the first entry is written. */
  readonly copyFiles?: () => Promise<void>
  /** Writes what belongs to the entries, such as their definitions. Called when both sides agree, before the commit: an error rolls the import back. */
  readonly beforeCommit?: () => Promise<void>
  /** Called with each dropped link, and with `skipInvalid` with each problem, before anything is written. */
  readonly onProblem?: (problem: Problem) => void
  /** Progress: entries so far, and the content-type. */
  readonly onProgress?: (step: ImportStep, done: number, label: string) => void
}

export type ImportStep = 'check' | 'write' | 'verify'

export interface ImportStrapiResult {
  /** Number of written entries, including those of Octavo's own types. */
  readonly entries: number
  /** Counts and checksums of both sides, which are equal. */
  readonly comparisons: readonly Comparison[]
  readonly plan: Plan
}

/** The most problems that the message of an error lists. */
const listedProblems = 20

/**
 * Imports a project into an empty database, in one transaction. Ids stay the same.
 *
 * @throws ImportError with the list of problems, SourceError
 */
export async function importStrapi(
  octavo: Octavo,
  source: Source,
  outline: Outline,
  options: ImportStrapiOptions = {},
): Promise<ImportStrapiResult> {
  const { registry } = octavo
  const found = await scan(source, outline, registry, (done, label) =>
    options.onProgress?.('check', done, label),
  )
  try {
    if (!options.skipInvalid) refuseProblems(found)
    else for (const problem of found.problems.all()) options.onProblem?.(problem)
    for (const problem of found.problems.dropped()) options.onProblem?.(problem)
    const valid = withoutInvalid(outline, (type, id) => found.skipped.isInvalid(type, id))
    const plan = planOf(valid, octavo, found, [], octavo.sections.has(webhooksName))
    let comparisons: readonly Comparison[] = []
    let written = 0
    const stream = dataStream(source, valid, octavo, found)
    const afterFiles = async function* () {
      await options.copyFiles?.()
      yield* stream.entries()
    }
    const { entries } = await importStream(
      octavo,
      { ...stream, entries: afterFiles },
      {
        onProgress: (done, label) => {
          written = done
          options.onProgress?.('write', done, label)
        },
        check: async (tx) => {
          options.onProgress?.('verify', written, '')
          comparisons = await verify(octavo, tx, source, found)
          refuseDifferences(comparisons)
          await setCreators(tx, registry, source)
          await options.beforeCommit?.()
        },
      },
    )
    return { entries, comparisons, plan }
  } finally {
    found.close()
  }
}

/**
 * The report of an import. Reads the whole source; needs no database.
 *
 * @param leftOut Parts that {@link toDefinitions} left out, for the report.
 * @param plugins The names of the server's plugins. Default: the plugins that the registry shows.
 * @param actions The actions that permissions can name there, for the report. Default: those of the content-types.
 */
export async function planImport(
  source: Source,
  outline: Outline,
  registry: Registry,
  leftOut: readonly LeftOutPart[] = [],
  plugins: readonly string[] = [],
  actions: ReadonlyMap<string, unknown> = new Map(),
): Promise<Plan> {
  const found = await scan(source, outline, registry)
  try {
    const valid = withoutInvalid(outline, (type, id) => found.skipped.isInvalid(type, id))
    return planOf(valid, { registry, actions }, found, leftOut, plugins.includes(webhooksName))
  } finally {
    found.close()
  }
}

/** Compares a source with a database that it was imported into: counts and checksums, computed on each side by itself. */
export async function verifyImport(
  octavo: Octavo,
  source: Source,
  outline: Outline,
): Promise<readonly Comparison[]> {
  const found = await scan(source, outline, octavo.registry)
  try {
    return await octavo.store.transaction(async (tx) => {
      await tx.run(sql`set transaction isolation level repeatable read, read only`)
      await tx.liftTimeLimits()
      return verify(octavo, tx, source, found)
    })
  } finally {
    found.close()
  }
}

/** Entries of the source are invalid; `skipInvalid` would leave them out. */
export class InvalidEntriesError extends ImportError {}

function refuseProblems({ problems }: Scan): void {
  if (problems.count === 0) return
  const lines = [...problems.all(listedProblems)].map(problemLine)
  throw new InvalidEntriesError(lines, problems.count > lines.length)
}

function refuseDifferences(comparisons: readonly Comparison[]): void {
  const lines = comparisons
    .filter(({ agrees }) => !agrees)
    .map(
      ({ uid, source, target }) =>
        `${uid}: the source has ${source.rows} rows and ${source.links} links (${source.checksum}), the database ${target.rows} and ${target.links} (${target.checksum}).`,
    )
  if (lines.length > 0) throw new ImportError(lines)
}
