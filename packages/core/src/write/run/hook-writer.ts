import { inputOf } from '../../execute/input-of.ts'
import { storedTexts } from '../../execute/stored-texts.ts'
import type { EntryWriter } from '../../plugin/write-hooks.ts'
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
    writes.updateAt(registry.contentType(uid), id, input, [], 'plugin', asks),
  delete: (uid, id) => writes.delete(registry.contentType(uid), id, 'plugin'),
  stored: (uid, id) => storedTexts(registry.contentType(uid), id, tx),
  inputOf: (uid, id, names) => inputOf(registry.contentType(uid), id, names, registry, tx),
  requireChangeable: (uid, ids, names) => rights.changeable(registry.contentType(uid), ids, names),
  query: (text, values) => tx.query(text, values),
  run: (statement) => tx.run(statement),
  rows: (source) => tx.rows(source),
  lock: (name) => tx.lock(name),
})
