import { accepts, type KeysOf } from '@octavo/core/internal'

export interface DraftPublishOptions {
  /** An entry with a future `publishedAt` is published from that time on. `false`: it is published at once. Default true. */
  readonly scheduled?: boolean
  /** Whether `GET /:plural/:id` returns a draft without `publicationState=preview` (`show`) or 404 (`hide`). Default `hide`. */
  readonly draftsById?: 'hide' | 'show'
  /** Adds `POST /:plural/:id/actions/publish` and `/unpublish`. Default false. */
  readonly actions?: boolean
}

/** The names of the options. A new option without a row does not compile. */
export const optionKeys = {
  scheduled: accepts.flag,
  draftsById: accepts.oneOf('hide', 'show'),
  actions: accepts.flag,
} as const satisfies KeysOf<DraftPublishOptions>
