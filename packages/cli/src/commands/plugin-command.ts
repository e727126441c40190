import { createOctavo, silentLogger } from '@octavo/core'
import { didYouMean, prepareOctavo } from '@octavo/core/internal'
import type { OperatorCommand } from '@octavo/core/plugin'
import { octavoOptions } from '@octavo/server'
import { createLogger } from '../logger.ts'
import { progress } from '../progress.ts'
import { type CommonFlags, configured } from '../server-options.ts'
import { UsageError } from '../usage-error.ts'

/** The names of commands that are known without a configuration. */
export interface KnownCommands {
  readonly own: readonly string[]
  /** The commands of Octavo's plugins. */
  readonly ofPlugins: readonly string[]
}

/**
 * `octavo <words>`: a command of a plugin, such as `octavo media check`. The commands are known once the configuration is
 * read; the database is opened for one that exists, since its tables are updated then.
 *
 * @param given Words, and the command's own flags.
 */
export async function runPluginCommand(
  given: readonly string[],
  common: CommonFlags,
  known: KnownCommands,
): Promise<void> {
  const words = given.filter((word) => !word.startsWith('-'))
  const flags = given.filter((word) => word.startsWith('-'))
  const { options } = await configured(common, await createLogger(common)).catch((error: unknown) => {
    if (!(error instanceof UsageError) || isAmong(words, known.ofPlugins)) throw error
    const meant = meantBy(words, [...known.own, ...known.ofPlugins])
    throw new UsageError(
      `There is no command "${words.join(' ')}"${meant || ' (see octavo --help).'} A command of a plugin needs the content. ${error.message}`,
    )
  })
  const prepared = prepareOctavo({ ...octavoOptions(options), logger: silentLogger })
  const { name, command: declared } = commandOf(words, prepared.commands, known)
  for (const flag of flags) refuseUnknown(flag, name, declared)
  const octavo = await createOctavo({ ...octavoOptions(options), command: words.join(' ') })
  const bar = await progress()
  try {
    const print = (line: string): void => {
      bar.end()
      console.log(line)
    }
    const rest = words.slice(name.split(' ').length)
    const names = new Set(flags.map((flag) => flag.slice('--'.length)))
    // The prepared command has no running Octavo.
    const command = octavo.commands.get(name)
    if (!(await command?.run(octavo, names, print, rest, bar.update))) process.exitCode = 1
  } finally {
    bar.end()
    await octavo.close()
  }
}

/** Whether words begin with the name of one of these commands. */
const isAmong = (words: readonly string[], names: readonly string[]): boolean =>
  names.some((name) => `${words.join(' ')} `.startsWith(`${name} `))

/** `; did you mean "media check"?`, or an empty text. A command with several words is compared with as many. */
function meantBy(words: readonly string[], names: readonly string[]): string {
  for (let count = words.length; count > 0; count--) {
    const meant = didYouMean(
      words.slice(0, count).join(' '),
      names.filter((name) => name.split(' ').length === count),
    )
    if (meant !== '') return meant
  }
  return ''
}

/** @throws UsageError, which suggests a command or lists those that begin with the same word */
function commandOf(
  words: readonly string[],
  commands: ReadonlyMap<string, OperatorCommand>,
  { own }: KnownCommands,
): { readonly name: string; readonly command: OperatorCommand } {
  const name = nameIn(words, commands)
  const command = name === undefined ? undefined : commands.get(name)
  if (name !== undefined && command) return { name, command }
  const meant = meantBy(words, [...own, ...commands.keys()])
  const alike = new Map([...commands].filter(([other]) => other.split(' ')[0] === words[0]))
  const listed = listOf(alike.size > 0 ? alike : commands)
  throw new UsageError(`There is no command "${words.join(' ')}"${meant || `. ${listed}`}`)
}

/** @throws UsageError for a flag that the command does not have */
function refuseUnknown(flag: string, name: string, { flags = {}, ...command }: OperatorCommand): void {
  const word = flag.replace(/^--?/, '')
  if (flag === `--${word}` && Object.hasOwn(flags, word)) return
  const known = Object.keys(flags).map((one) => `--${one}`)
  const listed = listOf(new Map([[name, { ...command, flags }]]))
  throw new UsageError(`octavo ${name} has no option ${flag}${didYouMean(flag, known) || `. ${listed}`}`)
}

/** The command that the words begin with; the words after it are its arguments, if it takes any. */
function nameIn(
  words: readonly string[],
  commands: ReadonlyMap<string, OperatorCommand>,
): string | undefined {
  for (let count = words.length; count > 0; count--) {
    const name = words.slice(0, count).join(' ')
    const command = commands.get(name)
    if (command && (count === words.length || command.arguments !== undefined)) return name
  }
  return undefined
}

function listOf(commands: ReadonlyMap<string, OperatorCommand>): string {
  const lines = [...commands].map(([words, { description, arguments: given, flags = {} }]) => {
    const options = Object.entries(flags).map(([flag, what]) => `--${flag} ${what}`)
    return `\n  octavo ${given === undefined ? words : `${words} ${given}`}: ${[description, ...options].join('; ')}`
  })
  return lines.length > 0 ? `Commands of plugins:${lines.join('')}` : 'octavo --help lists all commands.'
}
