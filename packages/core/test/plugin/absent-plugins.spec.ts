import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createOctavo, defineContentType, type OctavoOptions } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { createTestDatabase, type TestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const note = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes' },
  attributes: { title: { type: 'string' } },
})
const curtain = definePlugin({
  name: 'curtain',
  guards: 'hidden notes become visible',
  setup: (host) => {
    host.hook('definitions:extend', ({ contentTypes, components }) => ({
      components,
      contentTypes: contentTypes.map((type) => ({
        ...type,
        attributes: { ...type.attributes, hidden: { type: 'boolean' } },
      })),
    }))
  },
})
const lamp = definePlugin({ name: 'lamp', setup: () => {} })
const gate = definePlugin({ name: 'gate', guards: 'everybody may read', setup: () => {} })

let database: TestDatabase
let folder: string
let url: string
beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(path.join(tmpdir(), 'octavo-'))
  // A database in memory ends with its store.
  url = database.engine === 'pglite' ? `file:${folder}/database` : database.url
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

const warnings: string[] = []
const logger = {
  debug: () => {},
  info: () => {},
  warn: (_: object, message: string) => void warnings.push(message),
  error: () => {},
  child: () => logger,
}

async function start(options: OctavoOptions): Promise<string> {
  warnings.length = 0
  try {
    const octavo = await createOctavo({ contentTypes: [note], database: url, logger, ...options })
    await octavo.close()
    return 'started'
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  }
}

describe('a database that was used with a plugin', () => {
  it('stops the start without a plugin that guards something, unless withoutPlugin names it', async () => {
    expect(await start({ plugins: [curtain, lamp] })).toBe('started')
    expect(await start({ plugins: [curtain] })).toBe('started')
    expect(await start({ plugins: [lamp] })).toBe(
      'ConfigurationError: The database was used with the plugin "curtain": without "curtain" hidden notes become visible. ' +
        "Add it to plugins, or accept this with withoutPlugin: ['curtain'].",
    )
    expect(await start({ withoutPlugin: ['curtain'] })).toBe('started')
    expect(warnings).toEqual([
      'The plugin "curtain" is left out by withoutPlugin: hidden notes become visible',
    ])
    expect(await start({})).toContain('hidden notes become visible')
    expect(await start({ plugins: [curtain] })).toBe('started')
  })

  it('names every plugin that is left out', async () => {
    expect(await start({ plugins: [gate, curtain] })).toBe('started')
    expect(await start({ withoutPlugin: ['curtian'] })).toBe(
      'ConfigurationError: The database was used with the plugins "curtain", "gate": without "curtain" hidden notes become visible; ' +
        "without \"gate\" everybody may read. Add them to plugins, or accept this with withoutPlugin: ['curtain', 'gate'].",
    )
  })

  it('does not remember a plugin that withoutPlugin names', async () => {
    const other = definePlugin({ name: 'passing', guards: 'something shows', setup: () => {} })
    const plugins = [gate, curtain]
    expect(await start({ plugins: [...plugins, other], withoutPlugin: ['passing'] })).toBe('started')
    expect(await start({ plugins })).toBe('started')
  })
})
