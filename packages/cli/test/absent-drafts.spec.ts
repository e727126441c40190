/** A start of a server without the plugin that keeps drafts. */
import { type ContentTypeDefinition, type Logger, silentLogger } from '@octavo/core'
import type { Plugin } from '@octavo/core/plugin'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { createServer } from '@octavo/server'
import { createTestDatabase } from '@octavo/testing'
import { expect, it, vi } from 'vitest'

// Each test starts a server, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const article: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  options: { draftAndPublish: true },
  attributes: { title: { type: 'string' } },
}
const note: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes' },
  attributes: { text: { type: 'string' } },
}

/** The warnings of a start. */
async function warnings(plugins: readonly Plugin[]): Promise<readonly unknown[]> {
  const database = await createTestDatabase()
  const warned: unknown[] = []
  const logger: Logger = {
    ...silentLogger,
    warn: (...line: unknown[]) => void warned.push(line),
    child: () => logger,
  }
  try {
    const options = { contentTypes: [article, note], plugins, database: database.url, logger }
    await (await createServer(options)).close()
  } finally {
    await database.drop()
  }
  return warned
}

const message =
  'options.draftAndPublish has no effect without a plugin that keeps drafts: every entry is public'

it('A start warns of drafts without the plugin that keeps them', async () => {
  expect(await warnings([])).toContainEqual([{ types: ['api::article.article'] }, message])
})

it('A start with the plugin does not', async () => {
  const text = JSON.stringify(await warnings([draftPublish()]))
  expect(text).toContain('No plugin decides who may do what')
  expect(text).not.toContain('has no effect')
})
