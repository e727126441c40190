import type { SessionStore } from './session.ts'

export interface ClientOptions {
  /** The address of the server, `https://api.example.org`. Default: that of the page. */
  readonly url?: string
  /** The prefix of the endpoints. Default `/api`. */
  readonly prefix?: string
  /**
   * A token that is sent with every request: an API token, or a function that gives one. It takes the place of the
   * session of `api.auth`.
   */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>)
  /** The place in which the session of a login is stored. Default: the memory. */
  readonly session?: SessionStore
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds until a call fails, its retries included; 0 for no limit. Default 30,000. Uploads have none. */
  readonly timeout?: number
  /** The number of times that a read is tried again. Default 2. */
  readonly retries?: number
  /**
   * Number of answers to remember with their ETag, so that the server need not send an unchanged one again.
   * Default 0: none. Browsers do this by themselves.
   */
  readonly cache?: number
  /**
   * Whether `publish` and `unpublish` call the actions of `draftPublish({ actions: true })`, which have permissions of
   * their own and use the server's clock. Default false: they are updates of `publishedAt`.
   */
  readonly publishActions?: boolean
  /** Default: that of the environment. */
  readonly fetch?: typeof fetch
}

/** Options of a single call. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal
  readonly timeout?: number
  readonly retries?: number
  readonly headers?: Readonly<Record<string, string>>
}

type NamesOf<F> = F extends readonly (infer Name)[] ? Name : F

/** The attributes that a route without `attributes` answers to a query: with `fields`, the id and these. Others are `unknown`, and so are populated ones. */
export type Selected<T, Q> = Q extends { readonly fields: infer F }
  ? '*' extends NamesOf<F>
    ? T
    : { readonly id: number } & {
        readonly [K in Extract<NamesOf<F>, string>]: K extends keyof T ? T[K] : unknown
      } & { readonly [attribute: string]: unknown }
  : T
