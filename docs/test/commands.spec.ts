import { createOctavo } from '@octavo/core'
import { upload } from '@octavo/plugin-upload'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { octavoOptions } from '@octavo/server'
import { createTestDatabase } from '@octavo/testing'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { program } from '../../packages/cli/src/program/program.ts'
import { pageFile } from './support/pages.ts'

/** The commands with an action of their own, in the order of the help: `token create` after `start`. */
function commandsOf(parent: Command, words = ''): readonly (readonly [words: string, command: Command])[] {
  return parent
    .createHelp()
    .visibleCommands(parent)
    .filter((command) => command.name() !== 'help')
    .flatMap((command) => {
      const name = `${words}${command.name()}`
      const within = commandsOf(command, `${name} `)
      const isGroup = within.length > 0 && command.options.length === 0
      return isGroup ? within : [[name, command] as const, ...within]
    })
}

function helpOf(command: Command): string {
  // The width of a terminal would decide where lines break.
  command.configureHelp({ helpWidth: 100 })
  let text = ''
  command.configureOutput({
    writeOut: (part) => {
      text += part
    },
  })
  command.outputHelp()
  return text.trim()
}

async function pluginCommands(): Promise<string> {
  const { url: database, drop } = await createTestDatabase()
  const octavo = await createOctavo(octavoOptions({ plugins: [usersPermissions(), upload()], database }))
  try {
    return [...octavo.commands]
      .map(([words, { description, arguments: given, flags = {} }]) => {
        const options = Object.entries(flags).map(([flag, text]) => `| \`--${flag}\` | ${text} |`)
        const table = options.length === 0 ? '' : `\n| option | |\n|---|---|\n${options.join('\n')}\n`
        return `### octavo ${words}${given === undefined ? '' : ` ${given.replaceAll('<', '\\<')}`}\n\n${description}\n${table}`
      })
      .join('\n')
  } finally {
    await octavo.close()
    await drop()
  }
}

describe('docs/commands.md', () => {
  /** `pnpm vitest run docs/test/commands.spec.ts -u` writes it. */
  it('is printed from the help texts', async () => {
    const octavo = program()
    const sections = commandsOf(octavo).map(
      ([words, command]) => `## octavo ${words}\n\n\`\`\`text\n${helpOf(command)}\n\`\`\`\n`,
    )
    const page = `# Commands

This page lists the commands of \`octavo\`, from the package \`@octavo/cli\`, with their help texts. In a project, run \`npx octavo\`, or use the command in a script of \`package.json\`.

\`\`\`text
${helpOf(octavo)}
\`\`\`

Results go to the standard output, and the log goes to the standard error. The exit code is 0, or 1 after an error; a command that SIGINT, SIGTERM or SIGHUP
ends has 130, 143 or 129. An error is one line that
names the mistake and its correction; \`DEBUG=1\` adds the stack. A failure to write to the standard output, for instance on a full disk, is an error too. Options of the command line take precedence over a [configuration](configuration.md).

${sections.join('\n')}
## Commands of plugins

Plugins add commands, which take \`--config\`, \`--content\`, \`--database\` and \`--log\` like all others. An unknown command prints a list of them.

${await pluginCommands()}`
    await expect(page).toMatchFileSnapshot(pageFile('commands.md'))
  })
})
