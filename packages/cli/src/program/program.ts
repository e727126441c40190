import { createRequire } from 'node:module'
import {
  ConfigurationError,
  DefinitionError,
  ImportError,
  OctavoError,
  PluginError,
  SchemaError,
} from '@octavo/core'
import { didYouMean } from '@octavo/core/internal'
import { Command, CommanderError } from 'commander'
import { runPluginCommand } from '../commands/plugin-command.ts'
import { watchOutput } from '../output.ts'
import type { CommonFlags } from '../server-options.ts'
import { UsageError } from '../usage-error.ts'
import { common } from './common-options.ts'
import { addCheck, addMigrate, addOpenApi, addStart, addTransfer } from './content-commands.ts'
import { helpOfPluginCommand, pluginCommandList, pluginCommands } from './plugin-help.ts'
import { addGenerate, addTypes } from './project-commands.ts'
import { refuseEmpty } from './refuse-empty.ts'
import { addReplay } from './replay-command.ts'
import { addToken } from './token-commands.ts'

const { version } = createRequire(import.meta.url)('@octavo/cli/package.json') as { version: string }

const examples = `
Examples:
  $ octavo start --content ./content                     serve a folder of content-types, embedded database
  $ octavo start --content . --database postgres://localhost/blog --port 8080
  $ octavo start --content . --database memory:// --seed data.json
  $ octavo start --config octavo.config.ts --workers auto
  $ octavo check --content ./content                     all errors in the definitions
  $ octavo types --content ./content                     octavo-types.d.ts, for createOctavo and @octavo/client
  $ octavo import strapi export.tar.gz                   a Strapi 4 project; octavo import strapi --help
  $ octavo start --from export.tar.gz                    a preview of one; stores nothing
  $ octavo generate type article title:string author:relation:author
  $ octavo export backup.json --content ./content
  $ octavo openapi --content ./content --out openapi.json
  $ octavo media check --content ./content               files and their rows (of the plugin upload)`

/** The command line. Its commands throw; {@link run} prints the error. */
export function program(): Command {
  const octavo = new Command('octavo')
    .description('A content REST server: content-types in, endpoints out.')
    .version(version)
    // A process that exits at once does not learn that its output is not complete.
    .exitOverride()
    .showHelpAfterError('(see octavo --help)')
    .addHelpText('after', () => pluginCommandList() + examples)
    .hook('preAction', (_, command) => refuseEmpty(command))
  addStart(octavo)
  addTransfer(octavo)
  addCheck(octavo)
  addMigrate(octavo)
  addOpenApi(octavo)
  addReplay(octavo)
  addTypes(octavo)
  addGenerate(octavo)
  addToken(octavo)
  addPluginCommands(octavo)
  return octavo
}

function addPluginCommands(octavo: Command): void {
  // Unknown words may be a command of a plugin, which needs the configuration.
  common(
    octavo
      .command('plugin-command', { isDefault: true, hidden: true })
      .argument('[words...]')
      .allowUnknownOption(),
  ).action((words: readonly string[], flags: CommonFlags) => {
    const [word, ...others] = words
    if (word === undefined) octavo.help()
    if (words.every(isOption)) refuseOption(word)
    const own = ownCommands(octavo)
    if (others.length === 0) refuseMistyped(word, own)
    return runPluginCommand(words, flags, { own, ofPlugins: pluginCommands.map(({ words }) => words) })
  })
}

/** The commands that need no plugin. */
const ownCommands = (octavo: Command): readonly string[] => [
  ...octavo.commands.map((command) => command.name()).filter((name) => name !== 'plugin-command'),
  'help',
]

/** `octavo help token create` as `octavo token create --help`: commander itself knows the first word only, and no commands of plugins. */
function withHelpFlag(
  [command, ...words]: readonly string[],
  octavo: Command,
): readonly string[] | undefined {
  const [word] = words
  if (command !== 'help' || word === undefined) return undefined
  const isKnown = ownCommands(octavo).includes(word) || helpOfPluginCommand(words) !== undefined
  return isKnown ? [...words, '--help'] : undefined
}

const helpFlags: ReadonlySet<string> = new Set(['--help', '-h'])

const isOption = (word: string): boolean => word.startsWith('-')

/** The words of a command line that asks for help, without options and their values. */
function wordsOf(given: readonly string[]): readonly string[] {
  const { operands, unknown } = common(new Command()).parseOptions(
    given.filter((word) => !helpFlags.has(word)),
  )
  return [...operands, ...unknown].filter((word) => !isOption(word))
}

/** @throws UsageError for an option in front of which there is no command. */
function refuseOption(option: string): never {
  const known = ['--help', '--version', '--config', '--content', '--database', '--log']
  throw new UsageError(`octavo has no option ${option}${didYouMean(option, known) || '.'} See octavo --help.`)
}

/**
 * Before anything is read or started: a command of a plugin would need the configuration and the database.
 * @throws UsageError for a word that resembles a command.
 */
function refuseMistyped(word: string, own: readonly string[]): void {
  const suggestion = didYouMean(word, own)
  if (suggestion !== '') throw new UsageError(`There is no command "${word}"${suggestion} See octavo --help.`)
}

/** User errors, printed as one line. Any other error is printed with its stack. */
const userErrors = [
  UsageError,
  ConfigurationError,
  DefinitionError,
  ImportError,
  OctavoError,
  PluginError,
  SchemaError,
]

/** Runs a command line. The exit code of a failed command is 1, or the one that the command has set. */
export async function run(argv: readonly string[]): Promise<void> {
  const octavo = program()
  const [node = '', bin = '', ...typed] = argv
  const given = withHelpFlag(typed, octavo) ?? typed
  const asksForHelp = given.some((word) => helpFlags.has(word))
  watchOutput(!asksForHelp && given.find((word) => !word.startsWith('-')) === 'start')
  if (asksForHelp) {
    // The command line itself knows no commands of plugins, and would print the general help.
    const help = helpOfPluginCommand(wordsOf(given))
    if (help !== undefined) return console.log(help)
  }
  try {
    await octavo.parseAsync([node, bin, ...given])
  } catch (error) {
    if (error instanceof CommanderError) {
      // It has printed the help or the mistake.
      process.exitCode ||= error.exitCode
      return
    }
    const known =
      userErrors.some((type) => error instanceof type) || (error instanceof Error && 'code' in error)
    const message = error instanceof Error ? error.message : String(error)
    console.error(known && !process.env.DEBUG ? `octavo: ${message}` : error)
    process.exitCode ||= 1
  }
}
