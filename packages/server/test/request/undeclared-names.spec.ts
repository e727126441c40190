/** Names that nobody declared, in queries: S-02 and S-03 of docs/contract/threats.md. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../support/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const ask = (query: string) => site.api.get(`/api/articles?${query}`)

describe('S-02: only declared parameters reach the plan', () => {
  const names = [
    'where',
    'lookup',
    '_where',
    'filter',
    'having',
    'select',
    'columns',
    'include',
    'join',
    'orderBy',
    'limit_',
    'offset',
    'raw',
    'query',
    'params',
    'publicationState',
    'locale',
    'status',
    'constructor',
    '__proto__',
    'hasOwnProperty',
    'toString',
  ]
  it.each(names)('%s changes no byte', async (name) => {
    const plain = await ask('sort=id')
    for (const tail of [
      '[updatedBy][resetPasswordToken][$startsWith]=a',
      '[secret][$startsWith]=$2',
      '[note]=hidden 0',
      '=1',
      '[0]=x',
    ]) {
      const { status, text, headers } = await ask(`sort=id&${name}${tail}`)
      expect([status, text]).toEqual([200, plain.text])
      expect(headers.get('etag')).toBe(plain.headers.get('etag'))
    }
  })
})

describe('S-03: names come from the registry', () => {
  const names = [
    't1.password',
    'updatedBy',
    'createdBy',
    'author.name',
    'title"',
    "title'",
    'title->>x',
    'title::text',
    'title)',
    'title;--',
    't0.title',
    'note',
    'secret',
    '__proto__',
    'constructor',
    'hasOwnProperty',
    'author_id',
    'created_at',
    '*',
  ]
  it.each(names)('filters[%s] is unknown, alone and below', async (name) => {
    const bracket = `[${encodeURIComponent(name)}]`
    for (const query of [
      `filters${bracket}[$startsWith]=a`,
      `filters[author]${bracket}[$startsWith]=a`,
      `filters[updatedBy]${bracket}[$startsWith]=a`,
    ]) {
      const { status, body } = await ask(query)
      expect([query, status, body.error?.name]).toEqual([query, 400, 'ValidationError'])
    }
  })

  it.each(names.filter((name) => !name.includes('.') && name !== '*'))(
    'sort=%s and fields=%s are refused',
    async (name) => {
      for (const parameter of ['sort', 'fields']) {
        const { status } = await ask(`${parameter}=${encodeURIComponent(name)}`)
        expect([parameter, status]).toEqual([parameter, 400])
      }
    },
  )

  it('a private attribute and a missing one are refused with the same message', async () => {
    const [hidden, absent] = [await ask('filters[note]=x'), await ask('filters[nope]=x')]
    expect(hidden.text.replaceAll('note', 'nope')).toBe(absent.text)
  })

  it('a zero byte is refused', async () => {
    expect((await ask('filters[title]=a%00b')).status).toBe(400)
    expect((await ask('filters[a%00b]=1')).status).toBe(400)
  })
})
