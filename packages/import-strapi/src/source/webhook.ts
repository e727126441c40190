import { isObject } from '@octavo/core/internal'
import type { Data, WebhookRecord } from '../records.ts'

/** A webhook as an archive and a row of its table have it, whose columns may hold anything. */
export const webhookOf = ({ id, name, url, headers, events, enabled }: Data): WebhookRecord => ({
  id: Number(id),
  name: typeof name === 'string' ? name : null,
  url: typeof url === 'string' ? url : null,
  headers: isObject(headers) ? { ...headers } : {},
  events: Array.isArray(events) ? events.map(String) : [],
  enabled: enabled === true,
})
