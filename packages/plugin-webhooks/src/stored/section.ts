import { isObject } from '@octavo/core/internal'
import { importItems, isId, type SectionHandler } from '@octavo/core/plugin'
import { allEvents, readSecret } from '../options.ts'
import { readInput } from './input.ts'
import type { StoredWebhooks } from './stored-webhooks.ts'
import { newSecret } from './values.ts'

/**
 * The section `webhooks` of a data file: those that were made while the server ran, with their secrets. Without `secrets` a webhook gets
 * a new one.
 *
 *     { id, name, url, events, types, headers, enabled, attempts, secrets }
 */
export const webhooksSection = (webhooks: StoredWebhooks): SectionHandler => ({
  async import(items, tx) {
    await importItems('webhooks', items, webhooks.ids(tx), async (item, at) => {
      if (!isObject(item) || !isId(item.id)) throw new Error(`${at}.id must be a whole number from 1`)
      // The content-types of a webhook may be gone.
      const types = Array.isArray(item.types) ? item.types.map(String) : []
      const { input, mistakes } = readInput(item, new Set(types))
      const [mistake] = mistakes
      if (mistake) throw new Error(`${at}.${mistake.message}`)
      const { name, url, events = allEvents, headers = {}, enabled = true, attempts = null } = input
      if (name === undefined || url === undefined) throw new Error(`${at} must have a name and a url`)
      const values = {
        name,
        url,
        events,
        types: input.types ?? null,
        headers: Object.fromEntries(
          Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value ?? '']),
        ),
        enabled,
        attempts,
        secrets: readSecrets(item.secrets, at),
      }
      await webhooks.put(item.id, values, tx, at)
    })
    if (items.length > 0) await webhooks.imported(tx)
  },
  async export(tx) {
    return (await webhooks.list(tx)).map(({ createdAt: _, changedAt: __, ...webhook }) => webhook)
  },
})

function readSecrets(given: unknown, at: string): readonly string[] {
  if (given === undefined || given === null) return [newSecret()]
  const isList =
    Array.isArray(given) &&
    given.length > 0 &&
    given.every((secret) => typeof secret === 'string' && readSecret(secret))
  if (!isList) throw new Error(`${at}.secrets must be a list of whsec_ with 24 to 64 bytes in base64`)
  return given as readonly string[]
}
