import { accepts, type KeysOf } from '@octavo/core/internal'
import type { ApiInfo } from './document/document.ts'

export interface OpenApiOptions {
  readonly info?: ApiInfo
  /** Addresses of the server, such as `https://api.example.org`. Default: where the description itself is served. */
  readonly servers?: readonly string[]
  /**
   * The content of `GET /openapi.json`: `role`, the endpoints and attributes that the caller may use; `all`, everything, to
   * everybody. Default `role`.
   */
  readonly access?: 'role' | 'all'
  /**
   * The page `/docs`. Default: in development for requests from this machine only, and off with `NODE_ENV=production`. `true`:
   * on, for everybody. In development, requests from this machine see all endpoints; all others see `GET /openapi.json` as
   * without credentials.
   */
  readonly page?: boolean
}

/** The names of the options. A new option without a row does not compile. */
export const optionKeys = {
  info: {
    title: accepts.text('Content'),
    version: accepts.text('1.0.0'),
    description: accepts.text('What the API is for'),
  },
  servers: accepts.texts('https://api.example.org'),
  access: accepts.oneOf('role', 'all'),
  page: accepts.flag,
} as const satisfies KeysOf<OpenApiOptions>
