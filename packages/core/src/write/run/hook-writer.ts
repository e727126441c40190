import { inputsOf } from '../../execute/inputs-of.ts'
import { storedTexts } from '../../execute/stored-texts.ts'
import type { EntryWriter } from '../../plugin/entry-writer.ts'
import type { EntryWrites } from './entry-writes.ts'
import type { Writing } from './write-parts.ts'

/** The writer of hooks: its inputs are from plugins, not from the caller. */
export const hookWriter = (
  writes: EntryWrites,
  { parts: { registry }, tx, rights }: Writing,
): EntryWriter => ({
  create: async (uid, input) => {
    const [id] = await writes.createAll(registry.contentType(uid), [input], () => [], 'plugin')
    return id as number // one input, one id
  },
  update: (uid, id, input, asks = 'plugin') =>
    writes.updateAll(registry.contentType(uid), [id], input, [], 'plugin', asks),
  updateAll: (uid, ids, input, asks = 'plugin') =>
    writes.updateAll(registry.contentType(uid), ids, input, [], 'plugin', asks),
  delete: (uid, id) => writes.delete(registry.contentType(uid), id, 'plugin'),
  stored: (uid, id) => storedTexts(registry.contentType(uid), id, tx),
  inputsOf: (uid, ids, names) => inputsOf(registry.contentType(uid), ids, names, registry, tx),
  requireChangeable: (uid, ids, names) => rights.changeable(registry.contentType(uid), ids, names),
  query: (text, values) => tx.query(text, values),
  run: (statement) => tx.run(statement),
  rows: (source) => tx.rows(source),
  lock: (name) => tx.lock(name),
})
