import { ConfigurationError, type Octavo, type RequestState } from '@octavo/core'
import { didYouMean } from '@octavo/core/internal'
import type { OperatorCommand } from '@octavo/core/plugin'
import { permissionRows } from '../content-rows.ts'
import { permissionUid } from '../content-types.ts'
import { checkAction } from '../rights/check-permissions.ts'
import type { Directory, Role } from './directory.ts'

interface Context {
  readonly directory: Directory
  readonly ownState: RequestState
}

/**
 * `octavo permissions grant`, `revoke` and `list`, by their words.
 *
 * @param ownState Writes permissions for the operator.
 */
export function permissionCommands(
  directory: () => Directory,
  ownState: RequestState,
): ReadonlyMap<string, OperatorCommand> {
  const context = (): Context => ({ directory: directory(), ownState })
  return new Map([
    [
      'permissions grant',
      {
        description:
          'adds permissions to a role, e.g. octavo permissions grant public api::article.article.find,findOne',
        arguments: '<role> <actions...>',
        run: (octavo, _flags, print, given = []) => grant(octavo, context(), given, print),
      },
    ],
    [
      'permissions revoke',
      {
        description: 'removes permissions from a role',
        arguments: '<role> <actions...>',
        run: (octavo, _flags, print, given = []) => revoke(octavo, context(), given, print),
      },
    ],
    [
      'permissions list',
      {
        description: 'lists the permissions of each role',
        run: async (_octavo, _flags, print) => {
          for (const line of await table(context())) print(line)
          return true
        },
      },
    ],
  ])
}

type Print = (line: string) => void

async function grant(
  octavo: Octavo,
  { directory, ownState }: Context,
  given: readonly string[],
  print: Print,
): Promise<boolean> {
  const { role, patterns } = await read(given, directory, 'grant')
  const actions = patterns.flatMap((pattern) => matching(pattern, octavo))
  const added = [...new Set(actions)].filter((action) => !role.grants.of(action)).sort()
  await octavo.transaction(async (tx) => {
    for (const action of added) await tx.entries(permissionUid).create({ action, role: role.id })
  }, ownState)
  for (const action of added) print(`${role.type} may now do ${action}`)
  if (added.length === 0) print(`${role.type} may do all of that already`)
  return true
}

async function revoke(
  octavo: Octavo,
  { directory, ownState }: Context,
  given: readonly string[],
  print: Print,
): Promise<boolean> {
  const { role, patterns } = await read(given, directory, 'revoke')
  const rows = await permissionRows(octavo.store, octavo.registry).find({
    where: { role: role.id },
    select: ['id', 'action'],
    orderBy: { action: 'asc' },
  })
  // Only the form is checked, so that permissions for removed content-types can be revoked.
  const ended = rows.filter(({ action }) => patterns.some((pattern) => globOf(pattern).test(action ?? '')))
  await octavo.transaction(async (tx) => {
    for (const { id } of ended) await tx.entries(permissionUid).delete(id)
  }, ownState)
  for (const { action } of ended) print(`${role.type} may no longer do ${action}`)
  if (ended.length === 0)
    throw new ConfigurationError(
      `the database grants "${role.type}" no such action; permissions in code are removed in code (octavo permissions list)`,
    )
  return true
}

/** Rows of role, type or plugin, and its actions. */
async function table({ directory }: Context): Promise<readonly string[]> {
  const rows: (readonly [string, string, string])[] = [['role', 'of', 'actions']]
  for (const { type, grants } of (await directory.roles()).values()) {
    const byOwner = new Map<string, string[]>()
    for (const action of grants.actions) {
      const dot = action.lastIndexOf('.')
      const { where, fields } = grants.of(action) ?? {}
      const limits = [where && 'where', fields && 'fields'].filter(Boolean).join(', ')
      const names = byOwner.get(action.slice(0, dot)) ?? []
      names.push(`${action.slice(dot + 1)}${limits && ` (limited by ${limits})`}`)
      byOwner.set(action.slice(0, dot), names)
    }
    if (byOwner.size === 0) rows.push([type, '-', '-'])
    for (const [owner, names] of byOwner) rows.push([type, owner, names.join(', ')])
  }
  const width = (column: 0 | 1): number => Math.max(...rows.map((row) => row[column].length))
  const [first, second] = [width(0), width(1)]
  return rows.map(([role, owner, names]) => `${role.padEnd(first)}  ${owner.padEnd(second)}  ${names}`)
}

/** @throws ConfigurationError for a role that does not exist, and without actions. */
async function read(
  [type, ...rest]: readonly string[],
  directory: Directory,
  command: string,
): Promise<{ readonly role: Role; readonly patterns: readonly string[] }> {
  const patterns = patternsIn(rest)
  if (type === undefined || patterns.length === 0)
    throw new ConfigurationError(
      `octavo permissions ${command} takes a role and actions, e.g. public api::article.article.find,findOne`,
    )
  const role = await directory.roleOfType(type)
  if (role) return { role, patterns }
  const types = [...(await directory.roles()).values()].map((known) => known.type)
  throw new ConfigurationError(
    `there is no role "${type}"${didYouMean(type, types, `; there are ${types.join(', ')}`)}`,
  )
}

/** `api::a.a.find,findOne` is `api::a.a.find` and `api::a.a.findOne`: a name without a type has the type of the one before it. */
function patternsIn(words: readonly string[]): readonly string[] {
  let owner = ''
  return words
    .flatMap((word) => word.split(','))
    .filter((word) => word !== '')
    .map((word) => {
      if (!word.includes('.') && !word.includes('::')) return `${owner}${word}`
      owner = word.slice(0, word.lastIndexOf('.') + 1)
      return word
    })
}

/** @throws ConfigurationError for an action that does not exist, or a pattern that no action has. */
function matching(pattern: string, { actions }: Octavo): readonly string[] {
  if (!pattern.includes('*')) return [checkAction(pattern, actions, 'permissions').name]
  const found = [...actions.keys()].filter((name) => globOf(pattern).test(name))
  if (found.length > 0) return found
  throw new ConfigurationError(
    `no action matches "${pattern}"${didYouMean(pattern, patternsLike(pattern, actions.keys()))}`,
  )
}

/** The pattern with each type and plugin that has actions, for suggestions: `api::article.*` for `api::articel.*`. */
function* patternsLike(pattern: string, names: Iterable<string>): Iterable<string> {
  const end = pattern.slice(pattern.lastIndexOf('.') + 1)
  for (const name of names) {
    const parts = name.split('.')
    for (let count = 1; count < parts.length; count++) yield [...parts.slice(0, count), end].join('.')
  }
}

/** `*` matches any text. */
const globOf = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replaceAll(/[^\w:-]/g, '\\$&'))
      .join('.*')}$`,
  )
