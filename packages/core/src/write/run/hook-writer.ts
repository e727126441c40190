import { inputsOf } from '../../execute/inputs-of.ts'
import { storedTexts } from '../../execute/stored-texts.ts'
import { oneByOne } from '../../one-by-one.ts'
import { countUses, type EntryWriter } from '../../plugin/entry-writer.ts'
import { lockEntries } from '../check/entry-locks.ts'
import { prepareInput } from './entry-inputs.ts'
import type { EntryWrites } from './entry-writes.ts'
import type { Writing } from './write-parts.ts'

/** The writer of hooks: its inputs are from plugins, not from the caller. */
export function hookWriter(writes: EntryWrites, writing: Writing): EntryWriter {
  const { parts, tx, rights } = writing
  const typeOf = (uid: string) => parts.registry.contentType(uid)
  const updateAll: EntryWriter['updateAll'] = async (uid, ids, input, asks = 'plugin') => {
    const type = typeOf(uid)
    const exist = lockEntries(type, ids, 'update', tx)
    const checked = asks === 'plugin' ? [] : Object.keys(input)
    await rights.changeable(type, ids, checked)
    const event = (id: number) => writes.event('update', type, id, input, 'plugin')
    const pending = await oneByOne(ids, (id) => prepareInput(event(id), [], writing))
    await writes.save(pending, asks, [exist])
    await rights.changeable(type, ids, checked)
  }
  return countUses({
    create: async (uid, input) => {
      const [id] = await writes.createAll(typeOf(uid), [input], () => [], 'plugin')
      return id as number // one input, one id
    },
    update: (uid, id, input, asks) => updateAll(uid, [id], input, asks),
    updateAll,
    delete: (uid, id) =>
      writes.delete(typeOf(uid), id, 'plugin', [lockEntries(typeOf(uid), [id], 'delete', tx)]),
    stored: (uid, id) => storedTexts(typeOf(uid), id, tx),
    inputsOf: (uid, id, names, by) => inputsOf(typeOf(uid), id, names, by, parts.registry, tx),
    requireChangeable: (uid, ids, names) => rights.changeable(typeOf(uid), ids, names),
    query: (text, values) => tx.query(text, values),
    run: (statement) => tx.run(statement),
    rows: (source) => tx.rows(source),
    lock: (name) => tx.lock(name),
    liftTimeLimits: () => tx.liftTimeLimits(),
  })
}
