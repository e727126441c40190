/** What the pages keep on this device, and the name of this tab. */
import type { DraftStorage } from '../form/draft.ts'
import { randomText } from '../form/random.ts'

const prefix = 'octavo-desk/'

/** Local copies of entries. Writes are done at once, so that a page that is about to close can still make them. */
export const deviceStorage: DraftStorage = {
  get: async (key) => localStorage.getItem(prefix + key) ?? undefined,
  set: async (key, text) => localStorage.setItem(prefix + key, text),
  delete: async (key) => localStorage.removeItem(prefix + key),
  keys: async (start) =>
    Object.keys(localStorage)
      .filter((key) => key.startsWith(prefix + start))
      .map((key) => key.slice(prefix.length)),
}

/** A name that no other tab has. A page that is loaded again has another one. */
export const tab = randomText(8)

const lockOf = (name: string): string => `${prefix}tab/${name}`

// Browsers have locks only in pages that came by TLS or from the same machine.
const { locks } = navigator as Partial<Navigator>

/** While this tab is open it holds a lock by which the others know. */
void locks?.request(lockOf(tab), () => new Promise(() => {}))

/** Whether another tab is open. Without locks none seems to be. */
export async function isOpenTab(name: string): Promise<boolean> {
  const { held = [] } = (await locks?.query()) ?? {}
  return held.some((lock) => lock.name === lockOf(name))
}
