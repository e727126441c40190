/** The names that an editor offers while a query is written, from the types of the client and from those of a program. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const script = createRequire(import.meta.url).resolve('@octavo/typescript6/complete.mjs')

const start = `
  import { createOctavo } from '@octavo/core'
  import type {} from '@octavo/plugin-i18n'
  import type {} from '@octavo/plugin-upload'
  import { createClient } from '../src/index.ts'
  import { components, contentTypes } from './model.ts'
  const api = createClient<typeof contentTypes, typeof components>({})
  const octavo = await createOctavo({ contentTypes, components })
`

/** The names that are offered at each ‸ of the statements, sorted. */
async function offered(statements: string): Promise<readonly string[][]> {
  const file = fileURLToPath(new URL('completed.ts', import.meta.url))
  const child = spawn(process.execPath, [script, file], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(start + statements)
  const [lists] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return (JSON.parse(lists) as string[][]).map((names) => names.sort())
}

const places = ['author', 'body', 'cover', 'localizations', 'seo']

it('An editor offers the names of every object of a query', { timeout: 300_000 }, async () => {
  const [ofClient, ofProgram, ofOne, ofWrite, further, nested, options, inZone, filters] = await offered(`
    await api.articles.find({ populate: { ‸ } });
    await octavo.entries('article').find({ populate: { ‸ } });
    await api.articles.findOne(1, { populate: { ‸ } });
    await octavo.entries('article').create({ title: 'A' }, { populate: { ‸ } });
    await api.articles.find({ populate: { author: true, ‸ } });
    await octavo.entries('article').find({ populate: { author: { populate: { ‸ } } } });
    await api.articles.find({ populate: { author: { ‸ } } });
    await api.articles.find({ populate: { body: { on: { ‸ } } } });
    await api.articles.find({ populate: { author: { filters: { ‸ } } } });
  `)
  expect([ofClient, ofProgram, ofOne, ofWrite]).toEqual([places, places, places, places])
  expect(further).toEqual(places.slice(1))
  expect(nested).toEqual(['articles'])
  expect(options).toEqual(expect.arrayContaining(['fields', 'filters', 'populate', 'sort']))
  expect(inZone).toEqual(['"body.text"', '"shared.seo"'])
  expect(filters).toEqual(expect.arrayContaining(['$or', 'id', 'name']))
})
