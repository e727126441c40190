/** The public surface of @octavo/plugin-draft-publish. */

export { type DraftPublishOptions, draftPublish } from './draft-publish.ts'
