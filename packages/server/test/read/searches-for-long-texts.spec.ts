/** Searches for texts that are longer than those for which LIKE is used. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../support/site.ts'

const special = String.raw`***=.*%_\%\_\\[^a](b|c){2}+?$ \m\d 'quoted' "x" İß😀ǆ`
/** More characters than an automaton has in common, and those with a meaning in patterns. */
const phrase = `${special}\n\t${Array.from({ length: 400 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join('')}End`
const bodies = {
  inside: `before ${phrase} after`,
  atEnd: `before ${phrase}`,
  inCapitals: `before ${phrase.replace('quoted', 'QUOTED')}`,
  twice: `${phrase}${phrase}`,
  other: `before ${phrase.replace('End', 'Enx')} after`,
  short: 'before',
}

let site: Site
beforeAll(async () => {
  site = await openSite()
  for (const [title, body] of Object.entries(bodies))
    await site.server.octavo.entries('article').create({ title, body })
  await site.server.octavo.entries('article').create({ title: 'absent', body: null })
})
afterAll(() => site.close())

async function found(query: string): Promise<readonly string[]> {
  const { body } = await site.api.get(`/api/articles?sort=id&filters[views][$null]=true&${query}`)
  return body.data.map((entry: { attributes: { title: string } }) => entry.attributes.title)
}
const text = encodeURIComponent(phrase)

describe('a search for a long text', () => {
  it.each([
    ['filters[body][$contains]', ['inside', 'atEnd', 'twice']],
    ['filters[body][$containsi]', ['inside', 'atEnd', 'inCapitals', 'twice']],
    ['filters[body][$notContains]', ['inCapitals', 'other', 'short']],
    ['filters[body][$notContainsi]', ['other', 'short']],
    ['filters[body][$endsWith]', ['atEnd', 'twice']],
    ['filters[body][$endsWithi]', ['atEnd', 'inCapitals', 'twice']],
    ['filters[body][$startsWith]', ['twice']],
    ['filters[$not][body][$contains]', ['inCapitals', 'other', 'short']],
    ['_q', ['inside', 'atEnd', 'inCapitals', 'twice']],
  ])('finds by %s the entries that a short one would find', async (name, titles) => {
    expect(await found(`${name}=${text}`)).toEqual(titles)
  })
})
