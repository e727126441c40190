/** The public surface of @octavo/plugin-draft-publish. */

import '@octavo/core/engine'

export { type DraftPublishOptions, draftPublish } from './draft-publish.ts'
