/** The public surface of @octavo/plugin-webhooks. */

import '@octavo/core/engine'

export type { Webhook, WebhookEvent, WebhooksOptions } from './options.ts'
export { problem as webhooksProblem } from './problems.ts'
export { webhooks } from './webhooks.ts'
