import type { ContentTypeDefinition, Definition, ModelOf, RegisteredTypes } from '@octavo/core'
import { type ChangesApi, changesOf } from './changes.ts'
import { entriesOf } from './entries.ts'
import type { EntryApi, UntypedApi } from './entry-api.ts'
import { type FilesApi, filesOf } from './files.ts'
import type { CallOptions, ClientOptions } from './options.ts'
import { type Call, Transport } from './transport.ts'
import { type AuthApi, authOf, type UserOf, type UsersApi, usersOf } from './users.ts'

export interface Locale {
  readonly id: number
  readonly name: string
  /** `fr` */
  readonly code: string
  readonly isDefault: boolean
}

export interface RequestInput extends CallOptions {
  readonly query?: Readonly<Record<string, unknown>>
  /** A form (`FormData` or `URLSearchParams`) or a file (`Blob`), or a value that is sent as JSON. */
  readonly body?: unknown
}

/** The parts of every client besides the content-types. */
export interface Services<M = unknown> {
  readonly auth: AuthApi<UserOf<M>>
  readonly users: UsersApi<UserOf<M>>
  readonly files: FilesApi
  /** The feed of changes of `@octavo/plugin-changes`. */
  readonly changes: ChangesApi<M>
  /** The locales of the content. */
  locales(options?: CallOptions): Promise<readonly Locale[]>
  /** A content-type by the name in its path, without types: its plural name, or the singular name of a single type. */
  entries(route: string): UntypedApi
  /**
   * A route of a plugin or of the project.
   *
   * @param path Below the prefix: `/reports/weekly`.
   */
  request<T = unknown>(method: NonNullable<Call['method']>, path: string, input?: RequestInput): Promise<T>
}

/** The name in the path of a content-type. */
type RouteOf<D> = D extends {
  readonly kind: infer Kind
  readonly info: {
    readonly singularName: infer One extends string
    readonly pluralName: infer Many extends string
  }
}
  ? Kind extends 'singleType'
    ? One
    : Many
  : never

/** `reading-lists` as `readingLists`; a hyphen before a digit stays. */
type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? Rest extends Capitalize<Rest>
    ? `${First}-${CamelCase<Rest>}`
    : `${First}${Capitalize<CamelCase<Rest>>}`
  : Name

type ContentOf<M> = {
  readonly [U in keyof M as U extends `plugin::${string}` ? never : CamelCase<RouteOf<M[U]>>]: EntryApi<
    M,
    M[U] extends Definition ? M[U] : ContentTypeDefinition
  >
}

export type Client<T = RegisteredTypes, C = Record<never, never>> = Services<ModelOf<T, C>> &
  Omit<ContentOf<ModelOf<T, C>>, keyof Services>

/**
 * Creates a client. No request is made.
 *
 *     const api = createClient<typeof contentTypes>({ url: 'http://localhost:1337' })
 *     const { data } = await api.articles.find({ populate: { author: true } })
 *
 * @typeParam T The content-types: the type of a list or an object of definitions, or the `ContentTypes` of `octavo types`.
 *   Default: the types that a file of `octavo types` in the project declares.
 * @typeParam C The type of the components, when they are not part of `T`.
 */
export function createClient<T extends object = RegisteredTypes, C extends object = Record<never, never>>(
  options: ClientOptions = {},
): Client<T, C> {
  const transport = new Transport(options)
  const entries = (route: string) => entriesOf(transport, route, options)
  const services = {
    auth: authOf(transport),
    users: usersOf(transport),
    files: filesOf(transport),
    changes: changesOf(transport),
    locales: (given?: CallOptions) => transport.send({ path: '/i18n/locales', options: given }),
    entries,
    request: (method: Call['method'], path: string, { query, body, ...given }: RequestInput = {}) =>
      transport.send({ method: method ?? 'GET', path, query, body, options: given }),
  }
  const api: unknown = new Proxy(services, {
    get: (own, name, receiver) =>
      // A promise that resolves with a client looks for a method `then`.
      typeof name === 'symbol' || name === 'then' || name in own
        ? Reflect.get(own, name, receiver)
        : entries(name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)),
  })
  // The types are those of the definitions; the methods are the same for all content-types.
  return api as Client<T, C>
}
