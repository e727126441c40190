import { type OperatorCommand, readId } from '@octavo/core/plugin'
import { type Deliveries, Outbox } from './outbox.ts'
import type { Receivers } from './receivers.ts'

/** `octavo webhooks list` */
export const listCommand = (table: Deliveries, receivers: Receivers): OperatorCommand => ({
  description: 'lists the last 100 deliveries of webhooks, newest first',
  flags: { pending: 'pending ones only', failed: 'failed ones only' },
  run: async ({ store }, flags, print) => {
    const states = (['pending', 'failed'] as const).filter((name) => flags.has(name))
    const rows = await new Outbox(store, table).last(states)
    for (const { id, created_at, webhook, event, state, attempts, error, due } of rows) {
      const next = due === null ? '' : `, next attempt ${due}`
      const reason = error === null ? '' : `: ${error}`
      const name = receivers.nameOf(webhook)
      print(`${id}  ${created_at}  ${name}  ${event}  ${state} after ${attempts}${next}${reason}`)
    }
    if (rows.length === 0) print('There are no deliveries.')
    return true
  },
})

/** `octavo webhooks replay 7 8` */
export const replayCommand = (table: Deliveries): OperatorCommand => ({
  description: 'repeats deliveries with the same webhook-id; the running servers send them',
  flags: { failed: 'all failed deliveries' },
  arguments: '<ids...>',
  run: async ({ store }, flags, print, given = []) => {
    const ids = given.map(readId).filter((id) => id !== undefined)
    if (ids.length < given.length || (ids.length === 0 && !flags.has('failed'))) {
      print('Expected ids of "octavo webhooks list", or --failed.')
      return false
    }
    const outbox = new Outbox(store, table)
    const named = ids.length > 0 ? await outbox.replay({ id: ids }) : []
    const failed = flags.has('failed') ? await outbox.replay({ state: 'failed' }) : []
    const due = named.concat(failed)
    const missing = ids.filter((id) => !due.includes(id))
    print(due.length === 0 ? 'No deliveries.' : `Due again: ${due.join(', ')}.`)
    if (missing.length > 0) print(`Not found: ${missing.join(', ')}.`)
    return missing.length === 0
  },
})
