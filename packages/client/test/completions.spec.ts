/** The names and docstrings that an editor shows while a query is written, by the types of the client and those of a program. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { operators } from '@octavo/core/plugin'
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

/** Runs the script. @returns its line for each ‸ of the statements */
async function printed(statements: string, ...mode: 'hover'[]): Promise<readonly unknown[]> {
  const file = fileURLToPath(new URL('completed.ts', import.meta.url))
  const child = spawn(process.execPath, [script, file, ...mode], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(start + statements)
  const [answer] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return JSON.parse(answer)
}

/** The names that are offered at each ‸ of the statements, sorted. */
const offered = async (statements: string): Promise<readonly string[][]> =>
  ((await printed(statements)) as string[][]).map((names) => names.sort())

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

it('An editor shows the meaning of each operator', { timeout: 300_000 }, async () => {
  const sentences = Object.values(operators).map(
    ({ meaning: [first = '', ...rest] }) => `${first.toUpperCase()}${rest.join('')}.`,
  )
  const filtersOf = (call: string): string =>
    Object.keys(operators)
      .map((name) => `${call}({ filters: { title: { ‸${name}: undefined } } });`)
      .join('\n')
  // One program for all of them: reading the declarations takes most of the time.
  const shown = await printed(
    `
    await api.articles.find({ filters: { author: { ‸$in: [1] } } });
    await api.articles.find({ filters: { author: { name: { $not: { ‸$containsi: 'a' } } } } });
    await api.articles.find({ ‸filters: {}, ‸_q: '' });
    await api.articles.count({ ‸filters: {}, ‸_q: '' });
    api.articles.all({ ‸filters: {}, ‸_q: '' });
    ${filtersOf('await api.articles.find')}
    ${filtersOf("await octavo.entries('article').find")}
  `,
    'hover',
  )
  const [throughRelation, negated, ...others] = shown
  const ofLists = others.slice(0, 6)
  expect(others.slice(6)).toEqual([...sentences, ...sentences])
  expect([throughRelation, negated]).toEqual(['One of.', 'Contains, case-insensitive.'])
  const sameOfLists = [expect.stringMatching(/^Conditions/), expect.stringMatching(/^Finds/)]
  expect(ofLists).toEqual([...sameOfLists, ...sameOfLists, ...sameOfLists])
})
