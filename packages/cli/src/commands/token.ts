import { createOctavo } from '@octavo/core'
import { type ApiTokens, apiTokensOf, usersPermissions } from '@octavo/plugin-users-permissions'
import { octavoOptions } from '@octavo/server'
import { createLogger } from '../logger.ts'
import { type CommonFlags, configured } from '../server-options.ts'
import { UsageError } from '../usage-error.ts'

export interface TokenFlags extends CommonFlags {
  readonly name: string
  readonly readOnly?: boolean
  readonly full?: boolean
  readonly action?: readonly string[]
  /** Days. */
  readonly expires?: string
}

/** A hundred years: a later time may be none that a date has. */
const mostDays = 36_500

/** `octavo token create`: prints the token, which cannot be printed again. */
export async function createToken(flags: TokenFlags): Promise<void> {
  const scopes = [flags.readOnly && 'read-only', flags.full && 'full', flags.action].filter(
    (scope) => scope !== undefined && scope !== false,
  )
  const [access] = scopes
  if (scopes.length !== 1 || access === undefined)
    throw new UsageError(
      'Give the token its permissions: --read-only, --full, or --action once for each action',
    )
  const days = flags.expires === undefined ? undefined : Number(flags.expires)
  if (days !== undefined && !(days > 0 && days <= mostDays))
    throw new UsageError(`--expires takes days, up to ${mostDays}, not "${flags.expires}"`)
  if (flags.name.trim() === '')
    throw new UsageError('--name tells tokens apart in their list: give one, such as website')
  await withTokens(flags, async (tokens, now) => {
    const token = await tokens.create({
      name: flags.name,
      access: access as 'read-only' | 'full' | readonly string[], // checked above
      ...(days !== undefined && { expiresAt: new Date(now.getTime() + days * 86_400_000) }),
    })
    console.log(token)
  })
}

/** `octavo token list`: the tokens without their text, of which only a hash is stored. */
export async function listTokens(flags: CommonFlags): Promise<void> {
  await withTokens(flags, async (tokens) => {
    for (const { id, name, access, expiresAt, lastUsedAt } of await tokens.list())
      console.log(
        [
          id,
          name,
          access,
          `ends ${expiresAt ?? 'never'}`,
          lastUsedAt ? `last used ${lastUsedAt}` : 'not used yet',
        ].join('\t'),
      )
  })
}

/** `octavo token revoke ID`: it is invalid at once, in running servers as well. */
export async function revokeToken(id: string, flags: CommonFlags): Promise<void> {
  await withTokens(flags, async (tokens) => {
    if (!/^\d{1,9}$/.test(id) || !(await tokens.revoke(Number(id))))
      throw new UsageError(`There is no token ${id}; octavo token list prints all tokens`)
    console.log(`Token ${id} is revoked`)
  })
}

async function withTokens(
  flags: CommonFlags,
  work: (tokens: ApiTokens, now: Date) => Promise<void>,
): Promise<void> {
  const { options } = await configured(flags, await createLogger(flags))
  const plugins = options.plugins ?? []
  // It creates the table. A running server accepts the token if it has the plugin.
  const needed = plugins.some(({ name }) => name === 'users-permissions')
    ? {}
    : {
        plugins: [...plugins, usersPermissions()],
        // A server without the plugin still starts afterwards.
        withoutPlugin: [...(options.withoutPlugin ?? []), 'users-permissions'],
      }
  const octavo = await createOctavo(octavoOptions({ ...options, ...needed }))
  try {
    await work(apiTokensOf(octavo), octavo.store.now())
  } finally {
    await octavo.close()
  }
}
