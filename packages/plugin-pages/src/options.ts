import { ConfigurationError } from '@octavo/core'
import type { KeysOf } from '@octavo/core/internal'

export interface PagesOptions {
  /**
   * Serves the pages, and explains reads to the audience. Refused with NODE_ENV=production. Default: true, except with
   * NODE_ENV=production.
   */
  readonly development?: boolean
  /**
   * The audience of the pages and explanations in development: `local`, browsers and programs on this machine; `everybody`, who
   * can then see the names of everything that is served, its rights and its statements. Default `local`.
   */
  readonly audience?: 'local' | 'everybody'
}

/** The names of the options. A new option without a row does not compile. */
export const optionKeys = { development: true, audience: true } as const satisfies KeysOf<PagesOptions>

/** @throws ConfigurationError */
export function readOptions({ development, audience = 'local' }: PagesOptions): Required<PagesOptions> {
  const isProduction = process.env.NODE_ENV === 'production'
  if (isProduction && development === true)
    throw new ConfigurationError(
      'pages({ development: true }) shows what is served and who may see it, and is refused with NODE_ENV=production; grant the action plugin::pages.explain to a role instead',
    )
  if (audience !== 'local' && audience !== 'everybody')
    throw new ConfigurationError(`pages({ audience }) is local or everybody, not "${String(audience)}"`)
  return { development: development ?? !isProduction, audience }
}
