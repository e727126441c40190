/** The public surface of @octavo/plugin-draft-publish. */

import '@octavo/core/engine'
import './typed-drafts.ts'

export { type DraftPublishOptions, draftPublish } from './draft-publish.ts'
