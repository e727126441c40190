import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { defineContentType } from '@octavo/core'
import { createTestDatabase } from '@octavo/testing'
import { secretOf } from './receiver.ts'

export const article = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  options: { draftAndPublish: true },
  attributes: {
    title: { type: 'string', required: true },
    notes: { type: 'text', private: true },
    pin: { type: 'password' },
  },
})

/** A webhook to a receiver on loopback. */
export const hookTo = (url: string) => ({
  name: 'site',
  url,
  secrets: [secretOf(1)],
  privateAddresses: true,
})

/** A database that outlives the process that uses it: a server's, or a folder for the embedded engine. */
export async function lastingDatabase(): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const database = await createTestDatabase()
  if (database.engine !== 'pglite') return database
  const folder = await mkdtemp(path.join(tmpdir(), 'octavo-webhooks-'))
  return { url: `file:${path.join(folder, 'database')}`, drop: () => rm(folder, { recursive: true }) }
}
