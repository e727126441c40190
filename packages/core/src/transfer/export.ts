import type { Store } from '@octavo/database'
import { sql } from '@octavo/database'
import type { Registry } from '../content-type/model.ts'
import type { SectionHandler } from '../plugin/section.ts'
import { readEntries } from './read-entries.ts'

export interface ExportContext {
  readonly store: Store
  readonly registry: Registry
  readonly sections: ReadonlyMap<string, SectionHandler>
}

/** Writes the next chunk of the file; the result is awaited. */
export type Write = (text: string) => unknown

/**
 * Exports all data of the content-types and the plugins as a data file for `importData`: one entry per line, ordered by
 * id, from one snapshot of the database.
 *
 * Secrets (passwords) are exported as stored.
 */
export async function exportData({ store, registry, sections }: ExportContext, write: Write): Promise<void> {
  await store.transaction(async (tx) => {
    await tx.run(sql`set transaction isolation level repeatable read, read only`)
    await tx.liftTimeLimits()
    await write('{\n"entries": {')
    let first = true
    const elsewhere = new Set([...sections.values()].flatMap(({ types = [] }) => types))
    for (const type of registry.contentTypes.values()) {
      if (elsewhere.has(type.uid)) continue
      await write(`${first ? '' : ','}\n${JSON.stringify(type.uid)}: [`)
      first = false
      let separator = ''
      for await (const entries of readEntries(tx, registry, type)) {
        await write(`${separator}\n${entries.map((entry) => JSON.stringify(entry)).join(',\n')}`)
        separator = ','
      }
      await write(']')
    }
    await write('}')
    for (const [section, handler] of sections) {
      const items = await handler.export(tx)
      await write(
        `,\n${JSON.stringify(section)}: [${items.map((item) => `\n${JSON.stringify(item)}`).join(',')}]`,
      )
    }
    await write('\n}\n')
  })
}
