/** Writes whose answer is larger than `limits.answerBytes`, or has more rows than `limits.answerRows`. */
import { definePlugin } from '@octavo/core/plugin'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../support/site.ts'

const long = 'x'.repeat(3_000)

describe('A write whose answer would be too large', () => {
  let site: Site
  const committed: string[] = []
  beforeAll(async () => {
    const listener = definePlugin({
      name: 'listener',
      setup: (octavo) =>
        octavo.hook('entry:committed', ({ action, id }) => void committed.push(`${action} ${id}`)),
    })
    site = await openSite({ limits: { answerBytes: 2_500 }, plugins: [listener] })
    committed.length = 0
  })
  afterAll(() => site.close())

  const tooLarge = expect.objectContaining({
    error: expect.objectContaining({
      status: 413,
      details: expect.objectContaining({ code: 'query/answer-too-large' }),
    }),
  })
  const stored = async () => (await site.api.get('/api/articles?fields=title&sort=id')).body.data

  it.each([
    ['create', 'POST', '/api/articles'],
    ['create with a relation', 'POST', '/api/articles?populate=author'],
    ['update', 'PUT', '/api/articles/1'],
    ['update with a relation', 'PUT', '/api/articles/1?populate=author'],
  ])('%s is a 413, and nothing is written', async (_, method, path) => {
    const before = await stored()
    const answer = await site.api.request(method, path, { body: { data: { title: 'Long', body: long } } })
    expect(answer.body).toEqual(tooLarge)
    expect(await stored()).toEqual(before)
    expect(committed).toEqual([])
  })

  it('is written when the client requests fewer fields', async () => {
    const answer = await site.api.put('/api/articles/2?fields=title', {
      body: { data: { title: 'Long', body: long } },
    })
    expect(answer.body.data).toEqual({ id: 2, attributes: { title: 'Long' }, meta: {} })
    expect(committed).toEqual(['update 2'])
  })
})

describe('A write whose answer has relations', () => {
  const committed: string[] = []
  const listener = definePlugin({
    name: 'listener',
    setup: (octavo) =>
      octavo.hook('entry:committed', ({ action, id }) => void committed.push(`${action} ${id}`)),
  })
  /** The answer has an article and its author, and more bytes than two rows have at least, so that its rows are counted. */
  const update = async (answerRows: number) => {
    const site = await openSite({ limits: { answerRows }, plugins: [listener] })
    committed.length = 0
    const { status, body } = await site.api.put('/api/articles/1?populate=author', {
      body: { data: { title: 'Counted', body: long } },
    })
    const { data } = (await site.api.get('/api/articles/1?fields=title')).body
    await site.close()
    return { status, title: (body.data ?? data).attributes.title, stored: data.attributes.title }
  }

  it('is written once where the rows have to be counted', async () => {
    expect(await update(2)).toEqual({ status: 200, title: 'Counted', stored: 'Counted' })
    expect(committed).toEqual(['update 1'])
  })

  it('is not written where there are too many', async () => {
    expect(await update(1)).toMatchObject({ status: 413, stored: expect.not.stringContaining('Counted') })
    expect(committed).toEqual([])
  })
})
