import { createRequire } from 'node:module'
import path from 'node:path'
import { Command } from 'commander'
import { askChoices } from './ask-choices.ts'
import { type Choices, defaultPlugins, readDatabase, readPlugins } from './choices.ts'
import { createProject, refuseFolder } from './create-project.ts'
import { importArchive, isArchive } from './import-archive.ts'
import { commandsOf, runningPackageManager } from './package-manager.ts'
import { shellWord } from './shell-word.ts'
import { stoppable } from './stoppable.ts'
import { UsageError } from './usage-error.ts'

interface Flags {
  readonly plugins?: string
  readonly database?: string
  readonly from?: string
  readonly key?: string
  readonly yes?: true
  readonly install: boolean
}

const examples = `
Examples:
  $ npm create octavo@latest my-api
  $ npm create octavo@latest my-api -- --plugins draft-publish,users-permissions --database postgres
  $ npm create octavo@latest my-api -- --yes
  $ npm create octavo@latest my-api -- --from ../strapi-project
  $ npm create octavo@latest my-api -- --from export.tar.gz`

const { version } = createRequire(import.meta.url)('create-octavo/package.json') as { version: string }

const program = (): Command =>
  new Command('create-octavo')
    .description('Creates an Octavo project. On a terminal, it asks for missing flags.')
    .version(version)
    .argument('[folder]', 'folder of the project, which must be empty or missing')
    .option('--plugins <names>', 'names separated by commas, all, or none')
    .option('--database <name>', 'embedded, or postgres')
    .option('--from <project>', 'a Strapi 4 project: its folder, or an archive of strapi export')
    .option('--key <passphrase>', 'key of an encrypted archive')
    .option('-y, --yes', 'no questions: missing flags have their defaults')
    .option('--no-install', 'with an archive: leave the installation and the import to you')
    .addHelpText('after', examples)

/** Runs the command line. The exit code of a failed command is 1. */
export async function run(argv: readonly string[]): Promise<void> {
  const command = program().action((folder: string | undefined, flags: Flags) => create(folder, flags))
  try {
    await command.parseAsync(argv)
  } catch (error) {
    const isKnown = error instanceof UsageError || (error instanceof Error && 'code' in error)
    console.error(isKnown ? `create-octavo: ${error.message}` : error)
    process.exitCode ||= 1
  }
}

async function create(given: string | undefined, flags: Flags): Promise<void> {
  const choices = await choose(given, flags)
  const { folder, from } = choices
  const packageManager = runningPackageManager()
  const { install, start, test } = commandsOf(packageManager)
  await stoppable((signal) => createProject({ ...choices, packageManager }, signal))
  const shown = path.relative('.', path.resolve(folder)) || '.'
  console.log(`Created ${shown}`)
  const steps = [...(shown === '.' ? [] : [`cd ${shellWord(shown)}`])]
  if (from !== undefined && isArchive(from)) {
    const command = importArchive({
      folder,
      archive: from,
      key: flags.key,
      database: choices.database,
      isRun: flags.install,
      packageManager,
    })
    if (!flags.install) steps.push(install, command)
  } else steps.push(install)
  steps.push(test, start)
  console.log(`\nNext:\n${steps.map((step) => `  ${step}`).join('\n')}`)
}

/** The choices by flags; questions for the others on a terminal, otherwise the defaults. */
async function choose(given: string | undefined, flags: Flags): Promise<Choices> {
  const known = {
    ...(given !== undefined && { folder: given }),
    ...(flags.plugins !== undefined && { plugins: readPlugins(flags.plugins) }),
    ...(flags.database !== undefined && { database: readDatabase(flags.database) }),
    ...(flags.from !== undefined && { from: flags.from }),
  }
  if (given === '') throw noFolder()
  if (given !== undefined) await refuseFolder(given)
  const isInteractive = !flags.yes && process.stdin.isTTY && process.stdout.isTTY
  if (isInteractive) return askChoices(known)
  if (known.folder === undefined) throw noFolder()
  return { plugins: defaultPlugins, database: 'embedded', ...known, folder: known.folder }
}

const noFolder = (): UsageError =>
  new UsageError('Name the folder of the project: npm create octavo@latest my-api')
