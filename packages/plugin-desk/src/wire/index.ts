/**
 * Entries of `/desk/api` that a person edits: load, save with `If-Match`, merge after a 412, wait for a sign-in after a 401, and repeat
 * saves without an answer; with a local copy at each pause.
 *
 *     const wire = new Wire((url, request) => fetch(url, request))
 *     const entry = await OpenEntry.open(wire, model, { person: me.id, uid, route: 'articles', entry: 7 }, { storage, tab })
 *     if (entry instanceof OpenEntry) entry.form.set('title', 'First light', { typing: true })
 *     await entry.save() // { kind: 'saved' }, 'overlaps', 'signed-out', 'unknown', 'busy', 'missing', 'refused' and others
 *
 * A new entry has `entry: 'new-…'` with a text that no other new entry has, and an id after its first save.
 */
export { type EntryData, type EntryPlace, loadEntry } from './load.ts'
export { OpenEntry, type OpenOptions } from './open-entry.ts'
export type { SaveOutcome, SaveState } from './save-outcome.ts'
export { isOfOtherName, type Outcome, Wire, type WireFetch } from './wire.ts'
