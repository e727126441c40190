import { ConfigurationError } from '@octavo/core'
import type { KeysOf } from '@octavo/core/internal'

export interface DeskOptions {
  /** The name of the site or the publication, above the navigation. At most 60 characters. Default: none. */
  readonly title?: string
  /**
   * A folder of extension modules, relative to the working directory; plugins add theirs by the hook `server:desk`. Everybody who reaches
   * the server can read its files. Default: none.
   */
  readonly extensions?: string | URL
}

/** The names of the options. A new option without a row does not compile. */
export const optionKeys = { title: true, extensions: true } as const satisfies KeysOf<DeskOptions>

/** @throws ConfigurationError */
export function readOptions({ title = '', extensions }: DeskOptions) {
  if (typeof title !== 'string' || title.length > 60)
    throw new ConfigurationError('desk({ title }) is a text of at most 60 characters')
  if (extensions !== undefined && typeof extensions !== 'string' && !(extensions instanceof URL))
    throw new ConfigurationError('desk({ extensions }) is the path or the file URL of a folder')
  return { title, extensions }
}
