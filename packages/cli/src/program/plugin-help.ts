/** The help of the commands of Octavo's plugins, which is printed without a configuration and a database. */

interface PluginCommand {
  /** `permissions grant` */
  readonly words: string
  /** `<role> <actions...>` */
  readonly arguments?: string
  readonly description: string
  readonly flags?: Readonly<Record<string, string>>
}

/** The commands of Octavo's own plugins; a test compares them with those that the plugins declare. */
export const pluginCommands: readonly PluginCommand[] = [
  {
    words: 'permissions grant',
    arguments: '<role> <actions...>',
    description:
      'adds permissions to a role, e.g. octavo permissions grant public api::article.article.find,findOne',
  },
  {
    words: 'permissions revoke',
    arguments: '<role> <actions...>',
    description: 'removes permissions from a role',
  },
  { words: 'permissions list', description: 'lists the permissions of each role' },
  {
    words: 'drafts publish',
    arguments: '<uids...>',
    description: 'publishes all drafts of content-types',
  },
  { words: 'drafts delete', arguments: '<uids...>', description: 'deletes all drafts of content-types' },
  {
    words: 'editors create',
    arguments: '<email> [role]',
    description:
      'adds an editor, with all rights unless a role is given, and prints the link that sets the password',
  },
  {
    words: 'editors reset',
    arguments: '<email>',
    description: 'turns the second factor of an editor off and prints a link that sets the password',
  },
  { words: 'editors list', description: 'lists the editors with their roles' },
  {
    words: 'media check',
    description: 'lists files without rows, rows without files, and uploads that never finished',
    flags: { delete: 'removes files without rows and unfinished uploads, once they are an hour old' },
  },
  { words: 'graphql schema', description: 'prints the schema of GraphQL' },
  {
    words: 'webhooks list',
    description: 'lists the last 100 deliveries of webhooks, newest first',
    flags: { pending: 'pending ones only', failed: 'failed ones only' },
  },
  {
    words: 'webhooks replay',
    arguments: '<ids...>',
    description: 'repeats deliveries with the same webhook-id; the running servers send them',
    flags: { failed: 'all failed deliveries' },
  },
]

/**
 * The commands that begin with the words, with their options; `undefined` when Octavo's plugins have none. Words that follow a
 * command, as in `permissions grant public`, are its arguments.
 */
export function helpOfPluginCommand(words: readonly string[]): string | undefined {
  if (words.length === 0) return undefined
  const typed = `${words.join(' ')} `
  const found = pluginCommands.filter(
    (command) => `${command.words} `.startsWith(typed) || typed.startsWith(`${command.words} `),
  )
  if (found.length === 0) return undefined
  const options = [
    '--content <folder>  the content-types, in place of a configuration',
    '--config <file>     the configuration; default octavo.config.ts',
    '--database <url>    in place of the configured database',
  ]
  return [...found.map(usageOf), '', 'Options of each:', ...options.map((line) => `  ${line}`)].join('\n')
}

function usageOf({ words, arguments: given, description, flags = {} }: PluginCommand): string {
  const lines = Object.entries(flags).map(([flag, text]) => `\n    --${flag}  ${text}`)
  return `octavo ${given === undefined ? words : `${words} ${given}`}\n    ${description}${lines.join('')}`
}

/** The section of the general help. */
export function pluginCommandList(): string {
  const terms = pluginCommands.map(({ words, arguments: given }) =>
    given === undefined ? words : `${words} ${given}`,
  )
  const width = Math.max(...terms.map(({ length }) => length)) + 2
  const lines = pluginCommands.map(
    ({ description }, i) => `  ${(terms[i] ?? '').padEnd(width)}${description}`,
  )
  return `\nCommands of plugins:\n${lines.join('\n')}\n`
}
