/** A dimension in which content grows, the server for each of its sizes, and the measured requests. */

import type { ServerOptions } from '@octavo/server'
import type { Client } from 'pg'

export interface Dimension {
  readonly name: string
  /** The unit of the sizes: `entries`, `levels`. */
  readonly unit: string
  readonly sizes: readonly number[]
  /** The server of a size, besides its database. */
  readonly server: (size: number) => Pick<ServerOptions, 'contentTypes' | 'components' | 'plugins'>
  /** Fills the tables, which exist and are empty. */
  readonly fill: (client: Client, size: number) => Promise<unknown>
  readonly requests: (size: number) => Readonly<Record<string, Request>>
}

/** A request, or one that follows from the answer of another: the second page of a list by its cursor. */
export interface Request {
  readonly method?: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly body?: object
  /** The path that is measured, made from the parsed answer of {@link path}. */
  readonly next?: (answer: never) => string
}
