import type { KeysOf } from '@octavo/core'
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
   * The page `/docs`. Default: on, except with `NODE_ENV=production`. In development it shows all endpoints; in production it
   * shows `GET /openapi.json` as without credentials.
   */
  readonly page?: boolean
}

/** The names of the options. A new option without a row does not compile. */
export const optionKeys = {
  info: { title: true, version: true, description: true },
  servers: true,
  access: true,
  page: true,
} as const satisfies KeysOf<OpenApiOptions>
