export interface DraftPublishOptions {
  /** A time to come in `publishedAt` publishes from then on. `false`: whatever has a time is published. Default true. */
  readonly scheduled?: boolean
  /** What `GET /:plural/:id` does with a draft: not there without `publicationState=preview`, or there. Default `hide`. */
  readonly draftsById?: 'hide' | 'show'
  /** Adds `POST /:plural/:id/actions/publish` and `/unpublish`. Default false. */
  readonly actions?: boolean
}
