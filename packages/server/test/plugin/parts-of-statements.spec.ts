import { ApplicationError, computed, sql } from '@octavo/core'
import { definePlugin, type Plugin } from '@octavo/core/plugin'
import { afterEach, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../support/site.ts'

let site: Site
afterEach(() => site?.close())

/** Fails when it runs; PostgreSQL would see the mistake in a constant before. */
const failing = sql`select 1 / (select 0) as "id"`

const plugin = (setup: Plugin['setup']): Plugin => definePlugin({ name: 'audit', setup })

const failures = () =>
  site.log.flatMap(({ message, fields }) =>
    message === 'A request failed' ? [(fields as { parts?: readonly string[] }).parts] : [],
  )

describe('A statement that fails', () => {
  it.each([
    [
      'a check',
      'entry:checks',
      plugin((host) =>
        host.hook('entry:checks', () => [
          { finds: failing, refusal: () => new ApplicationError('never', 'example/never') },
        ]),
      ),
    ],
    [
      'a lock',
      'entry:checks',
      plugin((host) =>
        host.hook('entry:checks', () => [
          {
            lock: failing,
            finds: sql`select 1 as "id" where false`,
            refusal: () => new ApplicationError('never', 'example/never'),
          },
        ]),
      ),
    ],
    [
      'a statement',
      'entry:statements',
      plugin((host) => host.hook('entry:statements', () => [{ when: 'after', statement: failing }])),
    ],
    [
      'a statement of a handler that follows',
      'entry:afterUpdate',
      plugin((host) =>
        host.hook('entry:afterUpdate', () => {}, { sends: () => [{ when: 'after', statement: failing }] }),
      ),
    ],
  ])(
    'with %s of a plugin is a 500, and the log names the plugin and the hook',
    async (_what, hook, added) => {
      site = await openSite({ plugins: [added] }, false)
      await site.server.octavo.store.query(`insert into "authors" ("name") values ('Ada')`)
      expect((await site.api.put('/api/authors/1', { body: { data: { name: 'B' } } })).status).toBe(500)
      expect(failures()).toEqual([[`${hook} of the plugin "audit"`]])
    },
  )

  it('with a computed attribute of a plugin is a 500, and the log names both', async () => {
    const added = plugin((host) =>
      host.hook('attribute:computed', ({ attributes }) =>
        attributes.articles
          ? {
              share: {
                type: 'integer',
                computed: computed({
                  from: { name: 'string' },
                  sql: ({ name }) => sql`1 / (char_length(${name}) - 3)`,
                }),
              },
            }
          : undefined,
      ),
    )
    site = await openSite({ plugins: [added] }, false)
    await site.server.octavo.store.query(`insert into "authors" ("name") values ('Ada')`)
    expect((await site.api.get('/api/authors')).status).toBe(500)
    expect(failures()).toEqual([['api::author.author.share of the plugin "audit"']])
  })

  it('without parts of plugins names none', async () => {
    site = await openSite({}, false)
    await site.server.octavo.store.query('alter table "authors" rename to "writers"')
    expect((await site.api.get('/api/authors')).status).toBe(500)
    expect(failures()).toEqual([undefined])
  })
})
