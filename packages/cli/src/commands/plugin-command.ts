import { createOctavo } from '@octavo/core'
import type { OperatorCommand } from '@octavo/core/plugin'
import { octavoOptions } from '@octavo/server'
import { createLogger } from '../logger.ts'
import { progress } from '../progress.ts'
import { type CommonFlags, configured } from '../server-options.ts'
import { UsageError } from '../usage-error.ts'

/**
 * `octavo <words>`: a command of a plugin, such as `octavo media check`. The commands are known once the configuration is
 * read.
 *
 * @param given Words, and the command's own flags.
 */
export async function runPluginCommand(given: readonly string[], common: CommonFlags): Promise<void> {
  const words = given.filter((word) => !word.startsWith('-'))
  const flags = new Set(given.filter((word) => word.startsWith('-')).map((word) => word.replace(/^--?/, '')))
  const { options } = await configured(common, await createLogger(common.log)).catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error
    throw new UsageError(
      `There is no command "${words.join(' ')}" (see octavo --help). A command of a plugin needs the content. ${error.message}`,
    )
  })
  const octavo = await createOctavo({ ...octavoOptions(options), command: words.join(' ') })
  const bar = await progress()
  try {
    const name = nameIn(words, octavo.commands)
    const command = name === undefined ? undefined : octavo.commands.get(name)
    if (name === undefined || !command)
      throw new UsageError(`There is no command "${words.join(' ')}". ${listOf(octavo.commands)}`)
    const unknown = [...flags].find((flag) => !Object.hasOwn(command.flags ?? {}, flag))
    if (unknown !== undefined)
      throw new UsageError(`octavo ${name} has no option --${unknown}. ${listOf(octavo.commands)}`)
    const print = (line: string): void => {
      bar.end()
      console.log(line)
    }
    const rest = words.slice(name.split(' ').length)
    if (!(await command.run(octavo, flags, print, rest, bar.update))) process.exitCode = 1
  } finally {
    bar.end()
    await octavo.close()
  }
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
