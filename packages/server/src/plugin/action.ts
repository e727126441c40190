import type { ContentType } from '@octavo/core/plugin'

/** The action of a request: `api::article.article.find`, or a plugin's own such as `plugin::upload.content-api.find`. */
export interface Action {
  readonly name: string
  /** The content-type whose entries are read or written; `undefined` for a plugin's own route. */
  readonly type: ContentType | undefined
}
