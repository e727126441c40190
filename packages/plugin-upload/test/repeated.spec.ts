/** Uploads that a client repeats with their `Idempotency-Key`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { form, openSite, type Site } from './site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const upload = (key: string, content: string, name = 'a.txt') =>
  site.api.post('/api/upload', {
    body: form([{ name, content, type: 'text/plain' }]),
    headers: { 'idempotency-key': key },
  })

describe('an upload with an Idempotency-Key', () => {
  it('is stored once, and repeated with its first answer', async () => {
    const before = [await site.kept(), await site.rows()] as const
    const first = await upload('one', 'text')
    expect([first.status, first.headers.get('idempotency-key')]).toEqual([200, 'one'])
    const second = await upload('one', 'text')
    expect([second.status, second.body]).toEqual([200, first.body])
    expect((await site.kept()).length - before[0].length).toBe(1)
    expect((await site.rows()).files - before[1].files).toBe(1)
  })

  it('is stored once by requests at the same time', async () => {
    const before = [await site.kept(), await site.rows()] as const
    const answers = await Promise.all([1, 2, 3].map(() => upload('together', 'together')))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body[0].id}`)).size).toBe(1)
    expect((await site.kept()).length - before[0].length).toBe(1)
    expect((await site.rows()).files - before[1].files).toBe(1)
  })

  it('is refused with other bytes or another name, and leaves no file', async () => {
    await upload('mine', 'mine')
    const before = await site.kept()
    for (const repeated of [upload('mine', 'yours'), upload('mine', 'mine', 'b.txt')]) {
      const { status, body } = await repeated
      expect([status, body.error.details.code]).toEqual([422, 'entry/key-reused'])
    }
    expect(await site.kept()).toEqual(before)
  })
})
