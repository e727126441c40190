import type { Definition, ResultOf } from '@octavo/core'
import type { CallOptions, Selected } from './options.ts'
import type { Session } from './session.ts'
import type { Transport } from './transport.ts'

/** A user as the routes of accounts answer: without `attributes`. */
export interface User {
  readonly id: number
  readonly username: string
  readonly email: string
  readonly provider: string | null
  readonly confirmed: boolean | null
  readonly blocked: boolean | null
  readonly createdAt: string
  readonly updatedAt: string
  /** Attributes that a project adds, and populated ones. */
  readonly [attribute: string]: unknown
}

/** A user with the attributes of the model, when it has users: those of `octavo types` have. */
export type UserOf<M> = M extends { readonly 'plugin::users-permissions.user': infer D extends Definition }
  ? { readonly id: number } & ResultOf<M, D>['attributes'] & { readonly [attribute: string]: unknown }
  : User

export interface LoginAnswer<U = User> extends Session {
  readonly user: U
}

/** Without `jwt` when the address must be confirmed first. */
export type RegisterAnswer<U = User> = Partial<LoginAnswer<U>> & { readonly ok?: boolean }

type Query = Readonly<Record<string, unknown>>
type Input = Readonly<Record<string, unknown>>

/** Logins. A login is stored in the client's session, and later calls are made as this user. */
export interface AuthApi<U = User> {
  /** @param given The username or the address, and the password. @throws OctavoError `ValidationError` */
  login(
    given: { readonly identifier: string; readonly password: string },
    options?: CallOptions,
  ): Promise<LoginAnswer<U>>
  register(
    given: { readonly username: string; readonly email: string; readonly password: string } & Input,
    options?: CallOptions,
  ): Promise<RegisterAnswer<U>>
  /** Ends the session here, and on the server where it has refresh tokens. */
  logout(options?: CallOptions): Promise<void>
  /** The stored session; `undefined` without a login. */
  session(): Promise<Session | undefined>
  /** Sends a code to the address, if it is that of a user. */
  forgotPassword(given: { readonly email: string }, options?: CallOptions): Promise<void>
  /** Sets a new password with the code of an email, and logs in. */
  resetPassword(
    given: { readonly code: string; readonly password: string; readonly passwordConfirmation: string },
    options?: CallOptions,
  ): Promise<LoginAnswer<U>>
  /** Sets a new password; all earlier tokens of the user end. */
  changePassword(
    given: {
      readonly currentPassword: string
      readonly password: string
      readonly passwordConfirmation: string
    },
    options?: CallOptions,
  ): Promise<LoginAnswer<U>>
  sendEmailConfirmation(given: { readonly email: string }, options?: CallOptions): Promise<void>
  /**
   * The address to which a page sends people to log in by another service, e.g. `google`.
   *
   * @param challenge The SHA-256, in base64url, of a random text of 43 characters or more that the page keeps until the login
   *   ends: its verifier. Without one, the server gives the token to the browser only in which the login began, by a cookie.
   */
  providerAddress(provider: string, challenge?: string): string
  /** Logs in with the code with which people come back from the other service, and the verifier if there was a challenge. */
  loginWithCode(
    provider: string,
    code: string,
    options?: CallOptions & { readonly verifier?: string },
  ): Promise<LoginAnswer<U>>
}

/** Users. `query` takes `filters`, `populate`, `fields`, `sort`, and of a list `start` and `limit`. */
export interface UsersApi<U = User> {
  /** The caller. @throws OctavoError `UnauthorizedError` without a login */
  me<const Q extends Query = Query>(query?: Q, options?: CallOptions): Promise<Selected<U, Q>>
  find<const Q extends Query = Query>(query?: Q, options?: CallOptions): Promise<readonly Selected<U, Q>[]>
  findOne<const Q extends Query = Query>(
    id: number,
    query?: Q,
    options?: CallOptions,
  ): Promise<Selected<U, Q>>
  count(query?: Query, options?: CallOptions): Promise<number>
  create(data: Input, options?: CallOptions): Promise<U>
  update(id: number, data: Input, options?: CallOptions): Promise<U>
  delete(id: number, options?: CallOptions): Promise<U>
}

/** Requests that the server lets a client repeat with their key. A change of a password does not count: it ends the token that it came with. */
const repeatable: ReadonlySet<string> = new Set([
  'local',
  'local/register',
  'forgot-password',
  'reset-password',
])

export function authOf(transport: Transport): AuthApi {
  const { store } = transport
  const post = <T>(path: string, body: object, options?: CallOptions, anonymous = true): Promise<T> =>
    transport.send({
      path: `/auth/${path}`,
      method: 'POST',
      body,
      options,
      anonymous,
      repeatable: repeatable.has(path),
    })
  const stored = async <T extends Partial<LoginAnswer>>(answer: Promise<T>): Promise<T> => {
    const { jwt, refreshToken } = await answer
    if (jwt !== undefined) await store.set({ jwt, ...(refreshToken !== undefined && { refreshToken }) })
    return answer
  }
  return {
    login: (given, options) => stored(post('local', given, options)),
    register: (given, options) => stored(post('local/register', given, options)),
    async logout(options) {
      const session = await store.get()
      // Here in any case, also when the server cannot be reached.
      await store.set(undefined)
      if (session?.refreshToken) await post('logout', { refreshToken: session.refreshToken }, options)
    },
    session: async () => store.get(),
    forgotPassword: (given, options) => post('forgot-password', given, options),
    resetPassword: (given, options) => stored(post('reset-password', given, options)),
    changePassword: (given, options) => stored(post('change-password', given, options, false)),
    sendEmailConfirmation: (given, options) => post('send-email-confirmation', given, options),
    providerAddress: (provider, challenge) =>
      transport.route(
        `/connect/${encodeURIComponent(provider)}${challenge === undefined ? '' : `?challenge=${challenge}`}`,
      ),
    loginWithCode: (provider, code, { verifier, ...options } = {}) =>
      stored(
        transport.send({
          path: `/connect/${encodeURIComponent(provider)}/token`,
          method: 'POST',
          body: { code, verifier },
          options,
          anonymous: true,
          // Without a verifier it is the cookie of the login that counts.
          ...(verifier === undefined && {
            wrap: (fetch) => (url, init) => fetch(url, { ...init, credentials: 'include' }),
          }),
        }),
      ),
  }
}

export function usersOf(transport: Transport): UsersApi {
  const path = '/users'
  return {
    me: (query, options) => transport.send({ path: `${path}/me`, query, options }),
    find: (query, options) => transport.send({ path, query, options }),
    findOne: (id, query, options) =>
      transport.send({ path: `${path}/${encodeURIComponent(id)}`, query, options }),
    count: (query, options) => transport.send({ path: `${path}/count`, query, options }),
    create: (body, options) => transport.send({ path, method: 'POST', body, options, repeatable: true }),
    update: (id, body, options) =>
      transport.send({ path: `${path}/${encodeURIComponent(id)}`, method: 'PUT', body, options }),
    delete: (id, options) =>
      transport.send({ path: `${path}/${encodeURIComponent(id)}`, method: 'DELETE', options }),
  }
}
