import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createOctavo, type Octavo } from '@octavo/core'
import { createTestDatabase, testEngine } from '@octavo/testing'
import { expect, it } from 'vitest'

/** Collects all objects that nothing refers to. */
function collect(): void {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void // of V8, with the flag
  gc()
}

it('A request behind close() is refused as one, of each kind', async () => {
  const contentTypes = [
    {
      kind: 'collectionType',
      info: { singularName: 'note', pluralName: 'notes' },
      attributes: { text: { type: 'string' } },
    },
  ] as const
  const { url, drop } = await createTestDatabase()
  const octavo = await createOctavo({ contentTypes, database: url })
  await octavo.close()
  const notes = octavo.entries('note')
  const requests = [
    notes.find(),
    notes.create({ text: 'a' }),
    octavo.store.query('select 1'),
    octavo.transaction((tx) => tx.entries('note').find()),
  ]
  for (const request of requests) await expect(request).rejects.toMatchObject({ code: 'database/closed' })
  await drop()
})

// Its files are in memory, some 40 MB of them. A worker of these tests refers to the databases of all files that it has run.
it.runIf(testEngine() === 'pglite')('A closed database in memory has no data any more', async () => {
  const closed: Octavo[] = []
  const close = async () => {
    const octavo = await createOctavo({ contentTypes: [], database: (await createTestDatabase()).url })
    closed.push(octavo)
    await octavo.close()
  }
  await close()
  collect()
  const before = process.memoryUsage().arrayBuffers
  for (let n = 0; n < 3; n++) await close()
  await expect
    .poll(
      () => {
        collect()
        return (process.memoryUsage().arrayBuffers - before) / 2 ** 20
      },
      { timeout: 10_000 },
    )
    .toBeLessThan(30)
  expect(closed).toHaveLength(4)
})
