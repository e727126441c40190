import type { BatchedTransaction } from '@octavo/database'
import type { ContentType, Registry } from '../content-type/model.ts'
import type { EntryInput } from '../content-type/types/entry-input.ts'
import { inputOf } from '../execute/input-of.ts'
import { storedTexts } from '../execute/stored-texts.ts'
import type { EntryWriter, WriteEvent } from '../plugin/write-hooks.ts'
import type { WriteRights } from './check/rights.ts'
import type { BodyPath } from './input/write-plan.ts'

/** The writes of the transaction. */
interface Writes {
  createAll(
    type: ContentType,
    inputs: readonly EntryInput[],
    at: (i: number) => BodyPath,
    by: WriteEvent['by'],
  ): Promise<readonly number[]>
  updateAt(
    type: ContentType,
    id: number,
    input: EntryInput,
    at: BodyPath,
    by: WriteEvent['by'],
  ): Promise<void>
  updateWithRights(type: ContentType, id: number, input: EntryInput): Promise<void>
  delete(type: ContentType, id: number, by: WriteEvent['by']): Promise<void>
}

export interface HookWriterParts {
  readonly registry: Registry
  readonly tx: BatchedTransaction
  readonly rights: WriteRights
}

/** The writer of hooks: its inputs are from plugins, not from the caller. */
export const hookWriter = (writes: Writes, { registry, tx, rights }: HookWriterParts): EntryWriter => ({
  create: async (uid, input) => {
    const [id] = await writes.createAll(registry.contentType(uid), [input], () => [], 'plugin')
    return id as number // one input, one id
  },
  update: (uid, id, input, by = 'plugin') => {
    const type = registry.contentType(uid)
    return by === 'plugin'
      ? writes.updateAt(type, id, input, [], 'plugin')
      : writes.updateWithRights(type, id, input)
  },
  delete: (uid, id) => writes.delete(registry.contentType(uid), id, 'plugin'),
  stored: (uid, id) => storedTexts(registry.contentType(uid), id, tx),
  inputOf: (uid, id, names) => inputOf(registry.contentType(uid), id, names, registry, tx),
  requireChangeable: (uid, ids, names) => rights.changeable(registry.contentType(uid), ids, names),
  query: (text, values) => tx.query(text, values),
  run: (statement) => tx.run(statement),
  rows: (source) => tx.rows(source),
  lock: (name) => tx.lock(name),
})
