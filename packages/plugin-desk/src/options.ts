import { ConfigurationError } from '@octavo/core'
import type { KeysOf } from '@octavo/core/internal'

export interface DeskOptions {
  /** The name of the site or the publication, above the navigation. At most 60 characters. Default: none. */
  readonly title?: string
}

/** The names of the options. A new option without a row does not compile. */
export const optionKeys = { title: true } as const satisfies KeysOf<DeskOptions>

/** @throws ConfigurationError */
export function readOptions({ title = '' }: DeskOptions): Required<DeskOptions> {
  if (typeof title !== 'string' || title.length > 60)
    throw new ConfigurationError('desk({ title }) is a text of at most 60 characters')
  return { title }
}
