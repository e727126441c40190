import { describe, expect, it } from 'vitest'
import { localStore } from '../../test/form/local-store.ts'
import { modelOf } from '../form/index.ts'
import { OpenEntry, Wire } from './index.ts'

const uid = 'api::door.door'
const model = modelOf({ types: [{ uid, attributes: { name: { type: 'string' } } }], components: [] })

interface Sent {
  readonly method: string
  readonly key: string | undefined
  readonly data: unknown
}

type Answer = 'lost' | readonly [status: number, body: object, headers?: Readonly<Record<string, string>>]

/** A server that has these answers to writes, in order, and the last one to a read as well. */
function serverWith(...answers: Answer[]) {
  const writes: Sent[] = []
  let last: Answer = 'lost'
  const wire = new Wire(async (_url, { method, headers, body }) => {
    if (method !== 'GET') {
      const { data } = JSON.parse(body ?? '{}') as { readonly data: unknown }
      writes.push({ method, key: headers['Idempotency-Key'], data })
      last = answers.shift() ?? 'lost'
    }
    if (last === 'lost') throw new TypeError('Failed to fetch')
    const [status, json, more = {}] = last
    return {
      status,
      headers: { get: (name) => more[name] ?? null },
      text: async () => JSON.stringify(json),
    }
  })
  return { wire, writes }
}

const stored = (name: string): Answer => [200, { data: { id: 7, attributes: { name } } }]
const refusal = (status: number, more: Readonly<Record<string, string>> = {}): Answer => [
  status,
  { error: { status, name: 'Error', message: 'No.' } },
  more,
]

async function openNew(wire: Wire, kept = localStore(), tab = 'one'): Promise<OpenEntry> {
  const place = { person: 1, uid, route: 'doors', entry: 'new-a' }
  const opened = await OpenEntry.open(wire, model, place, { storage: kept, tab })
  if (!(opened instanceof OpenEntry)) throw new Error(opened.kind)
  return opened
}

describe('a create that is saved again', () => {
  const passing: readonly (readonly [string, Answer])[] = [
    ['too many requests (429)', refusal(429, { 'Retry-After': '3' })],
    ['a busy server (503)', refusal(503, { 'Retry-After': '3' })],
    ['an ended session (401)', refusal(401)],
    ['a lost answer', 'lost'],
  ]

  it.each(passing)(
    'is the same request with the same key after %s, at first and later',
    async (_, answer) => {
      const { wire, writes } = serverWith('lost', answer, answer, stored('Front'))
      const entry = await openNew(wire)
      entry.form.set('name', 'Front')
      for (let i = 0; i < 3; i += 1) expect((await entry.save()).kind).not.toBe('saved')
      expect(await entry.save()).toMatchObject({ kind: 'saved' })
      expect(new Set(writes.map(({ key }) => key)).size).toBe(1)
      expect(writes.map(({ data }) => data)).toEqual(Array(4).fill({ name: 'Front' }))
      expect(entry.isUnsaved).toBe(false)
    },
  )

  it('has its key in the copy of a tab that is closed after a refusal that passes', async () => {
    const kept = localStore()
    const { wire, writes } = serverWith(refusal(429), stored('Front'))
    const first = await openNew(wire, kept)
    first.form.set('name', 'Front')
    await first.save()
    await first.close()
    const second = await openNew(wire, kept, 'two')
    expect(await second.save()).toMatchObject({ kind: 'saved' })
    expect(writes[1]).toEqual(writes[0])
  })

  it('sends what was typed since as an update', async () => {
    const { wire, writes } = serverWith(refusal(429), stored('Front'), stored('Back'))
    const entry = await openNew(wire)
    entry.form.set('name', 'Front')
    await entry.save()
    entry.form.set('name', 'Back')
    expect(await entry.save()).toMatchObject({ kind: 'saved' })
    expect(writes.map(({ method, data }) => [method, data])).toEqual([
      ['POST', { name: 'Front' }],
      ['POST', { name: 'Front' }],
      ['PUT', { name: 'Back' }],
    ])
  })

  it('is a new request once what was sent is refused: what the page shows now is sent', async () => {
    const { wire, writes } = serverWith('lost', refusal(400), stored('Back'))
    const entry = await openNew(wire)
    entry.form.set('name', 'Front')
    await entry.save()
    entry.form.set('name', 'Back')
    expect(await entry.save()).toMatchObject({ kind: 'saved' })
    expect(writes.map(({ data }) => data)).toEqual([{ name: 'Front' }, { name: 'Front' }, { name: 'Back' }])
    expect(writes[2]?.key).not.toBe(writes[0]?.key)
  })

  it('is refused with its mistakes when nothing was typed since', async () => {
    const { wire, writes } = serverWith('lost', refusal(400))
    const entry = await openNew(wire)
    entry.form.set('name', 'Front')
    await entry.save()
    expect(await entry.save()).toMatchObject({ kind: 'refused', error: { status: 400 } })
    expect(writes).toHaveLength(2)
  })
})

describe('a save of an entry that the person may not change', () => {
  it('ends, where the version is the one that was sent', async () => {
    const wire = new Wire(async (_url, { method }) => ({
      status: method === 'GET' ? 200 : 412,
      headers: { get: () => '"1"' },
      text: async () => JSON.stringify({ data: { id: 7, attributes: { name: 'Front' } } }),
    }))
    const place = { person: 1, uid, route: 'doors', entry: 7 }
    const opened = await OpenEntry.open(wire, model, place, { storage: localStore(), tab: 'one' })
    if (!(opened instanceof OpenEntry)) throw new Error(opened.kind)
    opened.form.set('name', 'Back')
    expect(await opened.save()).toEqual({ kind: 'read-only' })
  })
})

describe('a save that a busy server refuses', () => {
  it.each([
    ['seconds', '3', 3],
    ['nothing', undefined, undefined],
    ['a text that is no time', 'soon', undefined],
    ['a moment that is past', 'Wed, 21 Oct 2015 07:28:00 GMT', undefined],
  ])('says after how long it may be sent again: %s', async (_, header, after) => {
    const { wire } = serverWith(refusal(429, header === undefined ? {} : { 'Retry-After': header }))
    const entry = await openNew(wire)
    entry.form.set('name', 'Front')
    expect(await entry.save()).toEqual({ kind: 'busy', after })
  })

  it('may name a moment, as proxies do', async () => {
    // A header has whole seconds.
    const inAnHour = new Date(Date.now() + 3_600_000)
    const { wire } = serverWith(refusal(503, { 'Retry-After': inAnHour.toUTCString() }))
    const entry = await openNew(wire)
    entry.form.set('name', 'Front')
    const outcome = await entry.save()
    expect(outcome.kind === 'busy' && Math.ceil((outcome.after ?? 0) / 3_600)).toBe(1)
  })

  it('is as unknown as a lost answer where the server cannot say whether it was written', async () => {
    // A 503 `database/outcome-unknown` has no Retry-After.
    const { wire, writes } = serverWith(refusal(503), stored('Front'))
    const entry = await openNew(wire)
    entry.form.set('name', 'Front')
    expect(await entry.save()).toMatchObject({ kind: 'unknown', answered: { status: 503 } })
    expect(await entry.save()).toMatchObject({ kind: 'saved' })
    expect(writes[1]).toEqual(writes[0])
  })
})
