import { randomBytes, randomUUID } from 'node:crypto'
import { ConfigurationError, type Logger, type Octavo, type Queryable } from '@octavo/core'
import { ApiTokens } from './api-tokens.ts'
import { Background } from './background.ts'
import { type Change, changesChannel } from './changes.ts'
import { Directory } from './directory.ts'
import { Mailer } from './email.ts'
import { type Grants, grantsOf, nothing, type Permission } from './grants.ts'
import { lookOf } from './names.ts'
import { checkProviders, makeOAuthTable } from './oauth.ts'
import type { UsersPermissionsOptions } from './options.ts'
import { RefreshTokens } from './refresh-tokens.ts'
import { Tokens } from './tokens.ts'

/** What the plugin has while the server runs. */
export interface Service {
  readonly octavo: Octavo
  readonly directory: Directory
  readonly tokens: Tokens
  readonly apiTokens: ApiTokens
  readonly mailer: Mailer
  readonly background: Background
  /** When they are on. */
  readonly refreshTokens: RefreshTokens | undefined
  readonly logger: Logger
  /** The rights of nobody in particular. */
  loadPublicGrants(): Promise<Grants>
  /** The same, as they were last loaded. */
  publicGrants(): Grants
  /** Logs what to run when no role may do anything with the content: a fresh server answers 403 to every request for it. */
  warnWhenClosed(): Promise<void>
  /** Forgets what changed, in this process. */
  forget(change: Change): void
  /** Has the other processes forget it too: at once or, in a transaction, when that is committed. */
  tellOthers(change: Change, db?: Queryable): Promise<void>
  /** Both. */
  tell(change: Change): Promise<void>
  close(): Promise<void>
}

/** What may have changed while nobody listened. */
const anything: Change = { account: 0, roles: true, apiTokens: true }

/** How long a token holds that can be refreshed: 15 minutes, in seconds. */
const shortExpiry = 900

/** Characters of a secret, at least. */
const minSecret = 32

/** The same of a project of Strapi 4, which makes 16 random bytes and writes them as 24 characters. */
const minStrapiSecret = 20

/** Roles that exist from the start, with what they may do. Source: the reference server's. */
const initialRoles = [
  {
    type: 'authenticated',
    name: 'Authenticated',
    description: 'Default role given to authenticated user.',
    actions: ['auth.changePassword', 'user.me'],
  },
  {
    type: 'public',
    name: 'Public',
    description: 'Default role given to unauthenticated user.',
    actions: [
      'auth.callback',
      'auth.connect',
      'auth.emailConfirmation',
      'auth.forgotPassword',
      'auth.register',
      'auth.resetPassword',
      'auth.sendEmailConfirmation',
    ],
  },
] as const

/** @throws Error without a secret in production, and for options that cannot stand together. */
export async function startService(
  octavo: Octavo,
  options: UsersPermissionsOptions,
  logger: Logger,
): Promise<Service> {
  if (options.neutralAnswers && !options.emailConfirmation)
    throw new Error(
      'neutralAnswers needs emailConfirmation: who is logged in at once knows that there was no such user',
    )
  checkProviders(options)
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
  await makeTables(octavo)
  await makeRoles(octavo, [...declared.keys()])
  await noteLooks(octavo)
  const directory = new Directory(octavo.store, declared)
  const salt = options.apiTokenSalt ?? (process.env.API_TOKEN_SALT || undefined)
  const apiTokens = new ApiTokens(octavo.store, logger, salt)
  const refresh = options.refreshTokens === true ? {} : options.refreshTokens || undefined
  const refreshTokens = refresh && new RefreshTokens(octavo.store, refresh.expiresIn)
  const tokens = await Tokens.open(
    { ...(refresh && { expiresIn: shortExpiry }), ...options.jwt },
    options.jwt?.keys ? '' : await secretOf(options, octavo, logger),
  )
  const background = new Background(logger)
  const mailer = new Mailer(options.email ?? {}, logger, background)

  const forget = ({ account, roles, apiTokens: tokensToo }: Change): void => {
    if (account !== undefined) directory.forgetAccount(account === 0 ? undefined : account)
    if (roles) {
      directory.forgetRoles()
      loadPublicGrants().catch((error: unknown) => logger.warn({ err: error }, 'The roles could not be read'))
    }
    if (tokensToo) apiTokens.forget()
  }
  let last: Grants = nothing
  const loadPublicGrants = async (): Promise<Grants> => {
    last = (await directory.roleOfType('public'))?.grants ?? nothing
    return last
  }
  await loadPublicGrants()

  const self = randomUUID()
  const tellOthers = async (change: Change, db: Queryable = octavo.store): Promise<void> =>
    void (await db.query('select pg_notify($1, $2)', [
      changesChannel,
      JSON.stringify({ ...change, from: self }),
    ]))
  await octavo.store.listen(changesChannel, (payload) => {
    const change =
      payload === undefined ? anything : (JSON.parse(payload) as Change & { readonly from?: string }) // our own words
    if (!('from' in change) || change.from !== self) forget(change)
  })
  return {
    octavo,
    directory,
    tokens,
    apiTokens,
    mailer,
    background,
    refreshTokens,
    logger,
    loadPublicGrants,
    warnWhenClosed: () => warnWhenClosed(octavo, directory, logger),
    publicGrants: () => last,
    forget,
    tellOthers,
    tell: async (change) => {
      forget(change)
      await tellOthers(change)
    },
    close: async () => {
      await background.settle()
      await mailer.close()
    },
  }
}

async function warnWhenClosed(octavo: Octavo, directory: Directory, logger: Logger): Promise<void> {
  const types = [...octavo.registry.contentTypes.keys()].filter((uid) => uid.startsWith('api::'))
  const roles = [...(await directory.roles()).values()]
  if (
    types.length === 0 ||
    roles.some(({ grants }) => grants.actions.some((action) => action.startsWith('api::')))
  )
    return
  logger.warn(
    {},
    `No role may do anything with the content yet, so every request for it is answered with 403. To let everybody read it, run: octavo permissions grant public 'api::*.find*' (with the same --content, --config and --database; stop the server first when its database is embedded). To try it out without a change: octavo start --public-read. In code: usersPermissions({ permissions: { public: ['${types[0]}.find'] } })`,
  )
}

/** Permissions to read all content, for the role `public`, in memory. @throws ConfigurationError in production */
function publicReads(octavo: Octavo, options: UsersPermissionsOptions, logger: Logger): readonly string[] {
  if (!(options.publicRead ?? process.env.OCTAVO_PUBLIC_READ === '1')) return []
  if (process.env.NODE_ENV === 'production')
    throw new ConfigurationError(
      'publicRead (--public-read) is for trying things out, and is refused with NODE_ENV=production; grant the role "public" what it may read: octavo permissions grant public <actions>',
    )
  logger.warn({}, 'Everybody may read all content, because of --public-read; nothing of that is stored')
  return [...octavo.actions.keys()].filter((action) => /^api::.*\.(find|findOne)$/.test(action))
}

async function makeTables({ store }: Octavo): Promise<void> {
  await store.query(
    'create table if not exists "octavo_secrets" ("name" text primary key, "value" text not null)',
  )
  await ApiTokens.makeTable(store)
  await makeOAuthTable(store)
  await RefreshTokens.makeTable(store)
}

const looksAtATime = 1_000

/** Notes what the names look like of users that an earlier version made. */
async function noteLooks({ store }: Octavo): Promise<void> {
  for (;;) {
    const rows = await store.query(
      `select "id", "username" from "up_users" where "username_look" is null and "username" is not null order by "id" limit ${looksAtATime}`,
    )
    for (const [id, username] of rows)
      await store.query('update "up_users" set "username_look" = $1 where "id" = $2::int8', [
        lookOf(String(username)),
        Number(id),
      ])
    if (rows.length < looksAtATime) return
  }
}

/** Makes the roles that are missing. Two processes that start at a time do not make one twice. */
async function makeRoles({ store }: Octavo, declared: readonly string[]): Promise<void> {
  const others = declared
    .filter((type) => !initialRoles.some((role) => role.type === type))
    .map((type) => ({ type, name: type, description: null, actions: [] as readonly string[] }))
  await store.transaction(async (tx) => {
    await tx.query("select pg_advisory_xact_lock(hashtext('octavo users-permissions roles'))")
    for (const { type, name, description, actions } of [...initialRoles, ...others]) {
      const [made] = await tx.query(
        'insert into "up_roles" ("type", "name", "description", "created_at", "updated_at") select $1, $2, $3, now(), now() where not exists (select from "up_roles" where "type" = $1) returning "id"',
        [type, name, description],
      )
      if (!made) continue
      for (const action of actions) {
        await tx.query(
          'insert into "up_permissions" ("action", "role_id", "created_at", "updated_at") values ($1, $2::int8, now(), now())',
          [`plugin::users-permissions.${action}`, Number(made[0])],
        )
      }
    }
  })
}

/** The secret that tokens are signed with: what is configured or, in development, one that is made and kept with the data. */
async function secretOf(
  { jwt }: UsersPermissionsOptions,
  { store }: Octavo,
  logger: Logger,
): Promise<string> {
  const given = jwt?.secret ?? process.env.OCTAVO_JWT_SECRET ?? process.env.JWT_SECRET
  if (given !== undefined) {
    const least = jwt?.acceptStrapiTokens ? minStrapiSecret : minSecret
    if (given.length < least)
      throw new Error(`The secret for tokens has ${given.length} characters; it needs ${least}`)
    return given
  }
  if (process.env.NODE_ENV === 'production')
    throw new Error(
      'There is no secret to sign tokens with: set OCTAVO_JWT_SECRET to 32 random characters or more',
    )
  await store.query(
    `insert into "octavo_secrets" ("name", "value") values ('jwt', $1) on conflict do nothing`,
    [randomBytes(32).toString('base64url')],
  )
  const [row] = await store.query(`select "value" from "octavo_secrets" where "name" = 'jwt'`)
  logger.info({}, 'Tokens are signed with a secret kept in the database; in production set OCTAVO_JWT_SECRET')
  return String(row?.[0])
}
