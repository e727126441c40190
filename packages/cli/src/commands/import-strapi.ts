import { createWriteStream, type WriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { createOctavo, DefinitionError } from '@octavo/core'
import { definitionsOf, prepareOctavo, withPath } from '@octavo/core/internal'
import type { Outline, ProjectDefinitions, Schema, Source } from '@octavo/import-strapi'
import { octavoOptions, type ServerOptions } from '@octavo/server'
import { builtInPlugins } from '../built-in-plugins.ts'
import { counted } from '../counted.ts'
import { createLogger } from '../logger.ts'
import { progress } from '../progress.ts'
import { refuseUnwritable } from '../refuse-unwritable.ts'
import { type CommonFlags, configured, defaultDatabase } from '../server-options.ts'
import { UsageError } from '../usage-error.ts'
import { writeAllWhole } from '../write-whole.ts'
import { type Settings, settingsFile, settingsText, writeSettings } from './imported-settings.ts'

export interface ImportStrapiFlags extends CommonFlags {
  readonly key?: string
  readonly uploads?: string
  readonly schema?: string
  readonly timeZone?: string
  readonly media: string
  readonly dryRun?: true
  readonly json?: true
  /** A file for the list of skipped entries. */
  readonly skipInvalid?: string
}

/** The folder that the definitions are written to without `--content`. */
const contentFolder = './content'

/** Loaded on demand: most commands do not use it. */
const load = () => import('@octavo/import-strapi')

/** `octavo import strapi SOURCE` */
export async function importStrapiProject(sourceName: string, flags: ImportStrapiFlags): Promise<void> {
  const { openSource } = await load()
  const given = flags.content !== undefined || flags.config !== undefined
  const configuredOptions = given ? (await configured(flags, await createLogger(flags))).options : undefined
  const source = await openSource(sourceName, {
    ...(flags.key !== undefined && { key: flags.key }),
    ...(flags.uploads !== undefined && { uploads: flags.uploads }),
    ...(flags.schema !== undefined && { schema: flags.schema }),
    ...(flags.timeZone !== undefined && { timeZone: flags.timeZone }),
    ...(configuredOptions && { components: schemasOf(configuredOptions) }),
  })
  try {
    const outline = await source.outline()
    const project = (await load()).toDefinitions(outline.schemas)
    const options = configuredOptions ?? (await optionsOf(project, flags))
    const work = flags.dryRun
      ? report(source, outline, project, options, flags)
      : run(source, outline, project, options, flags, !given)
    await work.catch((error: unknown) => {
      throw given ? error : withMendedDefinitions(error, source)
    })
  } finally {
    await source.close()
  }
}

/** The configured components, as schemas of the source. */
const schemasOf = ({ components }: ServerOptions): readonly Schema[] =>
  // An attribute has a type in both; the other keys of a definition may be anything.
  definitionsOf(components).map(
    (component) => ({ ...component, modelType: 'component' }) as unknown as Schema,
  )

/** Server options with the content-types of the source. */
async function optionsOf(project: ProjectDefinitions, flags: CommonFlags): Promise<ServerOptions> {
  const { user, file } = (await load()).addedAttributes(project)
  const plugins = await builtInPlugins({ usersPermissions: { user }, upload: { file } })
  return {
    contentTypes: project.contentTypes,
    components: project.components,
    plugins,
    database: flags.database ?? defaultDatabase,
    logger: await createLogger(flags),
  }
}

async function report(
  source: Source,
  outline: Outline,
  project: ProjectDefinitions,
  options: ServerOptions,
  { json }: ImportStrapiFlags,
): Promise<void> {
  const { planImport, planText } = await load()
  const names = (options.plugins ?? []).map(({ name }) => name)
  const { registry, actions } = prepareOctavo(octavoOptions(options))
  const plan = await planImport(source, outline, registry, project.leftOut, names, actions)
  console.log(json ? JSON.stringify(plan, null, 2) : planText(plan))
  if (plan.firstProblems.length > 0) process.exitCode = 1
}

async function run(
  source: Source,
  outline: Outline,
  project: ProjectDefinitions,
  options: ServerOptions,
  flags: ImportStrapiFlags,
  writesContent: boolean,
): Promise<void> {
  const { contentFiles, copyFiles, importStrapi, planText, refuseOverwriting, table } = await load()
  const content = writesContent ? contentFiles(project) : []
  await refuseOverwriting(contentFolder, content)
  // It is written last, after hours perhaps.
  await refuseUnwritable(await settingsFile())
  const skipped = flags.skipInvalid === undefined ? undefined : await openForWriting(flags.skipInvalid)
  const bar = await progress()
  const octavo = await createOctavo(octavoOptions(options))
  try {
    let files: Awaited<ReturnType<typeof copyFiles>> | undefined
    let settings: Settings | undefined
    let total = 0
    const result = await importStrapi(octavo, source, outline, {
      // Before the entries: an interrupted copy is continued by the next run, which needs an empty database.
      copyFiles: async () => {
        files = await copyFiles(source, flags.media, (copied, name) =>
          bar.update(copied, 0, `files copied: ${name}`),
        )
      },
      // A database with entries and without definitions could neither be served nor be imported into again.
      beforeCommit: async () => {
        if (skipped) await finish(skipped)
        await writeAllWhole(contentFolder, content)
        settings = await writeSettings(outline, flags.content ?? contentFolder)
      },
      skipInvalid: skipped !== undefined,
      onProblem: (problem) => {
        if (skipped?.errored) throw withPath(skipped.errored, String(skipped.path))
        skipped?.write(`${JSON.stringify(problem)}\n`)
      },
      onProgress: (step, done, label) => {
        if (step === 'check') total = done
        if (step === 'check') bar.update(done, 0, `entries checked: ${label}`)
        else if (step === 'write') bar.update(done, total, `entries written: ${label}`)
        else bar.update(done, total, 'entries written; comparing both sides')
      },
    })
    bar.end()
    const plan = { ...result.plan, leftOut: project.leftOut }
    if (flags.json) console.log(JSON.stringify({ ...result, plan, files }, null, 2))
    else {
      console.log(planText(plan))
      console.log(`\n${table(comparisonRows(result.comparisons))}`)
      const { copied = 0, there = 0, missing = [], missingCount = 0, elsewhere = 0 } = files ?? {}
      const { shorter = [], shorterCount = 0 } = files ?? {}
      console.log(
        `\n${counted(result.entries, 'entry', 'entries')} imported; ${copied} files copied to ${flags.media}, ${there} were there, ${missingCount} are missing, ${elsewhere} stay with their provider`,
      )
      if (missing.length > 0) console.log(`Missing, the first by name: ${missing.join(', ')}`)
      if (shorter.length > 0)
        console.log(
          `${shorterCount} files are shorter than their rows say, perhaps cut short: ${shorter.join(', ')}${shorterCount > shorter.length ? ', …' : ''}`,
        )
    }
    if (settings && !flags.json) console.log(settingsText(settings))
  } catch (error) {
    throw skipped === undefined ? await withWayOut(error) : error
  } finally {
    bar.end()
    await octavo.close()
    if (skipped) await finish(skipped)
  }
}

/** Waits until a file is written. @throws the error of the disk, with the path */
async function finish(stream: WriteStream): Promise<void> {
  await finished(stream.end()).catch((error: unknown) => {
    throw withPath(error, String(stream.path))
  })
}

/** Names the options that leave invalid entries out, or make them valid, where they would help. */
async function withWayOut(error: unknown): Promise<unknown> {
  const { InvalidEntriesError } = await load()
  if (!(error instanceof InvalidEntriesError)) return error
  return new UsageError(
    `${error.message}\n--skip-invalid left-out.jsonl imports all others, and lists these in the file. If a rule refuses them, such as maxLength or enum, relax it in schema.json files and give their folder with --content.`,
  )
}

/** Says how definitions of the source that are wrong may be mended. */
const withMendedDefinitions = (error: unknown, { name }: Source): unknown =>
  error instanceof DefinitionError
    ? new UsageError(
        `${error.message}\nThe content-types are those of ${name}. Mend the project and export it again, or give its mended files with --content ../old.`,
      )
    : error

type Library = Awaited<ReturnType<typeof load>>
type Comparisons = Awaited<ReturnType<Library['importStrapi']>>['comparisons']

/** Counts and checksums, which are equal on both sides after an import. */
const comparisonRows = (comparisons: Comparisons): readonly (readonly string[])[] => [
  ['compared on both sides', 'rows', 'links', 'checksum'],
  ...comparisons.map(({ uid, target: { rows, links, checksum } }) => [
    uid,
    String(rows),
    String(links),
    checksum,
  ]),
]

async function openForWriting(file: string) {
  await refuseUnwritable(file)
  const stream = createWriteStream(file)
  await new Promise<void>((resolve, reject) => {
    stream.once('open', () => resolve())
    // Later errors are in `errored`.
    stream.on('error', (error) => reject(new UsageError(`${file} cannot be written: ${error.message}`)))
  })
  return stream
}
