import { setImmediate } from 'node:timers/promises'
import type { Logger, Octavo, Queryable } from '@octavo/core'
import type { Channel } from '@octavo/core/plugin'
import { Background } from '@octavo/server/attempts'
import type { Change } from './changes.ts'
import { Mailer } from './mail/email.ts'
import { checkProviders } from './oauth-provider.ts'
import type { UsersPermissionsOptions } from './options.ts'
import { type Grants, grantsOf, nothing, type Permission } from './rights/grants.ts'
import { Directory, ofType, type Role } from './roles/directory.ts'
import { makeRoles } from './roles/initial-roles.ts'
import { publicReads } from './roles/public-read.ts'
import type { Tables } from './tables.ts'
import { ApiTokens } from './tokens/api-tokens.ts'
import { RefreshTokens } from './tokens/refresh-tokens.ts'
import { refusePlaceholder, signingSecret } from './tokens/signing-secret.ts'
import { Tokens } from './tokens/tokens.ts'
import { fillUsernameLooks } from './users/username-looks.ts'

/** The parts of the plugin while the server runs. */
export interface Service {
  readonly octavo: Octavo
  readonly tables: Tables
  readonly directory: Directory
  readonly tokens: Tokens
  readonly apiTokens: ApiTokens
  readonly mailer: Mailer
  readonly background: Background
  /** `undefined` when refresh tokens are off. */
  readonly refreshTokens: RefreshTokens | undefined
  readonly logger: Logger
  /** The rights of an anonymous request; at once where they are in memory. */
  loadPublicGrants(): Grants | Promise<Grants>
  /** The grants of the role `public`, as last loaded. */
  publicGrants(): Grants
  /** Invalidates the memory of this process. */
  forget(change: Change): void
  /** Invalidates the memory of the other processes: at once or, given a transaction, when it commits. */
  announceToOthers(change: Change, db?: Queryable): Promise<void>
  /** Invalidates the memory of all processes. */
  announce(change: Change): Promise<void>
  close(): Promise<void>
}

/** Validity of a token that can be refreshed: 15 minutes, in seconds. */
const shortExpiry = 900

interface Environment {
  readonly octavo: Octavo
  readonly options: UsersPermissionsOptions
  readonly tables: Tables
  readonly changes: Channel<Change>
  /** Identifies this process in its messages. */
  readonly self: string
  readonly logger: Logger
}

/** @throws Error without a secret in production, and for options that contradict each other. */
export async function startService(environment: Environment): Promise<Service> {
  const { octavo, options, tables, changes, self, logger } = environment
  if (options.neutralAnswers && !options.emailConfirmation)
    throw new Error(
      'neutralAnswers needs emailConfirmation: a login right after the registration would reveal that the user is new',
    )
  checkProviders(options)
  const declared = declaredPermissions(octavo, options, logger)
  await makeRoles(octavo, [...declared.keys()])
  await fillUsernameLooks(octavo)
  const directory = new Directory(octavo, tables, declared)
  const { apiTokens, refreshTokens, tokens } = await openTokens(environment)
  const background = new Background(logger)
  const mailer = new Mailer(options.email ?? {}, logger, background)

  let last: Grants = nothing
  let lastRoles: ReadonlyMap<number, Role> | undefined
  const publicOf = (roles: ReadonlyMap<number, Role>): Grants => {
    if (roles !== lastRoles) last = ofType(roles, 'public')?.grants ?? nothing
    lastRoles = roles
    return last
  }
  const loadPublicGrants = (): Grants | Promise<Grants> => {
    const { knownRoles } = directory
    return knownRoles ? publicOf(knownRoles) : directory.roles().then(publicOf)
  }
  await loadPublicGrants()
  let isReading = false
  const forget = ({ account, roles, apiTokens: tokensToo }: Change): void => {
    if (account !== undefined) directory.forgetAccount(account === 0 ? undefined : account)
    if (roles) directory.forgetRoles()
    if (roles && !isReading) {
      isReading = true
      // The stop waits for it: the database is closed afterwards.
      background.run('The roles could not be read', async () => {
        // After the other rows of the same change.
        await setImmediate()
        isReading = false
        await loadPublicGrants()
      })
    }
    if (tokensToo) apiTokens.forget()
  }
  const announceToOthers = (change: Change, db?: Queryable): Promise<void> =>
    changes.publish({ ...change, from: self }, db)
  return {
    octavo,
    tables,
    directory,
    tokens,
    apiTokens,
    mailer,
    background,
    refreshTokens,
    logger,
    loadPublicGrants,
    publicGrants: () => last,
    forget,
    announceToOthers,
    announce: async (change) => {
      forget(change)
      await announceToOthers(change)
    },
    close: async () => {
      await background.settle()
      await mailer.close()
    },
  }
}

/** The tokens that identify callers: of the API, of sessions, and those that renew sessions. */
async function openTokens({ octavo, options, tables, changes, logger }: Environment) {
  const strapiSalt = options.apiTokenSalt ?? (process.env.API_TOKEN_SALT || undefined)
  if (strapiSalt !== undefined)
    refusePlaceholder(strapiSalt, 'The salt of API tokens (API_TOKEN_SALT or apiTokenSalt)')
  const apiTokens = new ApiTokens({ octavo, table: tables.apiTokens, changes, strapiSalt })
  const refresh = options.refreshTokens === true ? {} : options.refreshTokens || undefined
  const refreshTokens = refresh && new RefreshTokens(octavo.store, tables.refreshTokens, refresh.expiresIn)
  const tokens = await Tokens.open(
    { ...(refresh && { expiresIn: shortExpiry }), ...options.jwt },
    options.jwt?.keys ? '' : await signingSecret(options.jwt, octavo, tables.secrets, logger),
    () => octavo.store.now(),
  )
  return { apiTokens, refreshTokens, tokens }
}

/** The permissions in code, by the type of the role. @throws Error for an action that a role has twice. */
function declaredPermissions(
  octavo: Octavo,
  options: UsersPermissionsOptions,
  logger: Logger,
): ReadonlyMap<string, readonly Permission[]> {
  const declared = new Map(
    Object.entries(options.permissions ?? {}).map(([type, list]) => [
      type,
      list.map((item): Permission => (typeof item === 'string' ? { action: item } : item)),
    ]),
  )
  const inCode = declared.get('public') ?? []
  const reads = publicReads(octavo, options, logger).filter(
    (action) => !inCode.some((permission) => permission.action === action),
  )
  if (reads.length > 0) declared.set('public', [...inCode, ...reads.map((action) => ({ action }))])
  for (const [type, list] of declared) {
    try {
      grantsOf(list)
    } catch (error) {
      throw new Error(`permissions.${type}: ${(error as Error).message}`, { cause: error })
    }
  }
  return declared
}
