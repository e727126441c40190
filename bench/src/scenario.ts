/** The types of scenarios and ceilings, and the requests that several of them send. */
import type { PoolClient } from 'pg'
import { type Mode, secret } from './users.ts'

export interface Scenario {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT'
  /** The requests, sent in turn. `n` is the number of articles. */
  readonly paths: (n: number) => readonly string[]
  readonly body?: string
  /** Octavo's content-types and plugins; with `users`, reads have a token. Default `plain`. */
  readonly mode?: Mode
  /** Whether requests have the token of a user, in the mode `start`. Default false. */
  readonly isSignedIn?: boolean
  /** Why it is not measured with more than a thousand articles. */
  readonly smallOnly?: string
  readonly ceiling: Ceiling
}

/** The bare server's answer to the requests of a scenario. */
export type Ceiling =
  | {
      readonly kind: 'read'
      readonly list: boolean
      readonly text: string
      readonly values: (url: URL) => readonly unknown[]
      readonly check?: CheckCaller
    }
  | {
      readonly kind: 'write'
      readonly run: (client: PoolClient, url: URL) => Promise<string>
      readonly check?: CheckCaller
    }
  /** Bare statements outside of a transaction; gives the whole body. */
  | { readonly kind: 'bare'; readonly run: (query: Query, body: unknown, url: URL) => Promise<string> }

/** Finds out who sends a request. @throws Error when the token is not valid, or the user may do nothing. */
export type CheckCaller = (authorization: string, query: Query) => Promise<void>

/** Runs a named statement, and gives its rows as lists of their values. */
export type Query = (name: string, text: string, values: readonly unknown[]) => Promise<readonly unknown[][]>

export const key = new TextEncoder().encode(secret)

export const nothing = (): readonly unknown[] => []
export const page = 'order by a.id limit 25'
export const some = (n: number): readonly string[] =>
  Array.from({ length: 50 }, (_, i) => `/api/articles/${1 + Math.floor((i * n) / 50)}`)
export const simple = (path: string) => () => [path]
