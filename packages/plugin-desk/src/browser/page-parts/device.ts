/** The values that the pages store on this device, and the name of this tab. */
import type { DraftStorage } from '../../form/draft.ts'
import { randomText } from '../../form/random.ts'

const prefix = 'octavo-desk/'

/** Reads the storage of the browser. A browser that gives pages no storage throws at every access, and the result is `nothing`. */
function found<T>(read: () => T, nothing: T): T {
  try {
    return read()
  } catch {
    return nothing
  }
}

/** Why a value is not stored: the storage has no room, or the browser gives pages none. */
export type Unkept = 'full' | 'blocked'

/** The reason why a write to the storage has failed, by what it has thrown. */
export const unkeptBy = (error: unknown): Unkept =>
  error instanceof DOMException && error.name === 'QuotaExceededError' ? 'full' : 'blocked'

/** Local copies of entries. Writes are done at once, so that a page that is about to close can still make them. */
export const deviceStorage: DraftStorage = {
  get: async (key) => found(() => localStorage.getItem(prefix + key) ?? undefined, undefined),
  set: async (key, text) => localStorage.setItem(prefix + key, text),
  delete: async (key) => localStorage.removeItem(prefix + key),
  keys: async (start) =>
    found(() => Object.keys(localStorage), [])
      .filter((key) => key.startsWith(prefix + start))
      .map((key) => key.slice(prefix.length)),
}

/** A name that no other tab has. A page that is loaded again has another one. */
export const tab = randomText(8)

const lockOf = (name: string): string => `${prefix}tab/${name}`

// Browsers have locks only in pages that came by TLS or from the same machine.
const { locks } = navigator as Partial<Navigator>

/** While this tab is open it holds a lock by which the others know. A browser that gives pages no storage refuses locks, too. */
locks?.request(lockOf(tab), () => new Promise(() => {})).catch(() => {})

/** Whether another tab is open. Without locks none seems to be. */
async function isOpenTab(name: string): Promise<boolean> {
  const { held = [] } = (await locks?.query().catch(() => undefined)) ?? {}
  return held.some((lock) => lock.name === lockOf(name))
}

/** The editors of this tab that are at work: that of the page has the name of the tab, those of panels have a number behind it. */
const atWork = new Set<string>()
let panels = 0

/** A name for the copies of another editor in this tab. */
export function nameOfPanel(): string {
  panels += 1
  return `${tab}.${panels}`
}

/** Says that an editor is at work. @returns a function that ends it */
export function workAs(name: string): () => void {
  atWork.add(name)
  return () => void atWork.delete(name)
}

/** Whether somebody works on the copy of an editor, here or in another tab. */
export async function isAtWork(name: string): Promise<boolean> {
  const [owner = ''] = name.split('.')
  return owner === tab ? atWork.has(name) : isOpenTab(owner)
}
