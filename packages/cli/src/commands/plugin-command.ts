import { createOctavo, type OperatorCommand } from '@octavo/core'
import { octavoOptions } from '@octavo/server'
import { createLogger } from '../logger.ts'
import { type CommonFlags, configured } from '../server-options.ts'
import { UsageError } from '../usage-error.ts'

/**
 * `octavo <words>`: what a plugin added to the command line, such as `octavo media check`. Which there are is known only
 * when the configuration is read.
 *
 * @param given Words, and the command's own flags.
 */
export async function runPluginCommand(given: readonly string[], common: CommonFlags): Promise<void> {
  const words = given.filter((word) => !word.startsWith('-')).join(' ')
  const flags = new Set(given.filter((word) => word.startsWith('-')).map((word) => word.replace(/^--?/, '')))
  const { options } = await configured(common, await createLogger(common.log))
  const octavo = await createOctavo(octavoOptions(options))
  try {
    const command = octavo.commands.get(words)
    if (!command) throw new UsageError(`There is no command "${words}". ${listOf(octavo.commands)}`)
    const unknown = [...flags].find((flag) => !(flag in (command.flags ?? {})))
    if (unknown !== undefined)
      throw new UsageError(`octavo ${words} has no option --${unknown}. ${listOf(octavo.commands)}`)
    if (!(await command.run(octavo, flags, (line) => console.log(line)))) process.exitCode = 1
  } finally {
    await octavo.close()
  }
}

function listOf(commands: ReadonlyMap<string, OperatorCommand>): string {
  const lines = [...commands].map(([words, { description, flags = {} }]) => {
    const options = Object.entries(flags).map(([flag, what]) => `--${flag} ${what}`)
    return `\n  octavo ${words}: ${[description, ...options].join('; ')}`
  })
  return lines.length > 0 ? `The plugins have:${lines.join('')}` : 'octavo --help tells which there are.'
}
