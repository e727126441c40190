import { randomBytes } from 'node:crypto'
import type { Logger, Octavo } from '@octavo/core'
import type { JwtOptions } from '../options.ts'
import type { Tables } from '../tables.ts'

/** Minimum length of a secret, in characters. */
const minSecret = 32

/** Minimum characters for a Strapi 4 project, whose secrets are 16 random bytes in 24 characters: as many as a token needs. */
const minStrapiSecret = 20

/** Whether a secret is that of a Strapi 4 project, by its variable or because its tokens are accepted. */
const isOfStrapi = (secret: string, jwt: JwtOptions | undefined): boolean =>
  jwt?.acceptStrapiTokens === true || secret === process.env.JWT_SECRET

/**
 * The secret that signs tokens: the configured one or, in development, one that is generated and stored in the database.
 * @throws Error for a short secret, and without one in production.
 */
export async function signingSecret(
  jwt: JwtOptions | undefined,
  { store }: Octavo,
  secrets: Tables['secrets'],
  logger: Logger,
): Promise<string> {
  const given = jwt?.secret ?? process.env.OCTAVO_JWT_SECRET ?? process.env.JWT_SECRET
  if (given !== undefined) {
    const least = isOfStrapi(given, jwt) ? minStrapiSecret : minSecret
    if (given.length < least)
      throw new Error(
        `The secret for tokens, ${jwt?.secret === given && jwt.secretSource !== undefined ? jwt.secretSource : sourceOf(given)}, has ${given.length} characters; it needs ${least}. A new one, with which everybody logs in again: openssl rand -hex 32`,
      )
    refusePlaceholder(given, 'The secret for tokens (OCTAVO_JWT_SECRET, JWT_SECRET or jwt.secret)')
    return given
  }
  if (process.env.NODE_ENV === 'production')
    throw new Error(
      'There is no secret to sign tokens with: set OCTAVO_JWT_SECRET to 32 random characters or more',
    )
  const rows = store.rows(secrets)
  await rows.insert({ name: 'jwt', value: randomBytes(32).toString('base64url') }, { onConflict: 'ignore' })
  // Another process may have stored a secret first.
  const stored = await rows.first({ where: { name: 'jwt' } })
  if (!stored) throw new Error('The secret for tokens was removed from the database while the server started')
  logger.info(
    {},
    'Tokens are signed with a secret stored in the database; set OCTAVO_JWT_SECRET in production',
  )
  return stored.value
}

/** The place that a secret was given in, for messages. */
function sourceOf(secret: string): string {
  const variable = ['OCTAVO_JWT_SECRET', 'JWT_SECRET'].find((name) => process.env[name] === secret)
  return variable === undefined
    ? 'usersPermissions({ jwt: { secret } })'
    : `the environment variable ${variable}`
}

/** Values of examples and templates, which everybody knows. */
const placeholder =
  /change.?(?:me|this|it)|to.?be.?modified|replace.?(?:me|this)|your.?(?:own.?)?secret|^(.)\1*$/i

/** @throws Error in production for a secret that is the placeholder of a template. */
export function refusePlaceholder(secret: string, name: string): void {
  if (process.env.NODE_ENV === 'production' && placeholder.test(secret))
    throw new Error(
      `${name} is a placeholder, with which anybody can sign tokens; set it to random characters: openssl rand -hex 32`,
    )
}
