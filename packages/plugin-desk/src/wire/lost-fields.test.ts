import { describe, expect, it } from 'vitest'
import { localStore } from '../../test/form/local-store.ts'
import { type FormModel, modelOf } from '../form/index.ts'
import { OpenEntry, type OpenOptions, Wire } from './index.ts'

const uid = 'api::door.door'
const line = { uid: 'door.line', attributes: { words: { type: 'string' }, by: { type: 'string' } } }
const sign = { uid: 'door.sign', attributes: { words: { type: 'string' } } }
const attributes = {
  name: { type: 'string' },
  note: { type: 'text' },
  lines: { type: 'component', component: line.uid, repeatable: true },
  zone: { type: 'dynamiczone', components: [line.uid, sign.uid] },
}
const model = modelOf({ types: [{ uid, attributes }], components: [line, sign] })

type Json = Readonly<Record<string, unknown>>

const stored: Json = {
  name: 'Front',
  note: 'Old',
  lines: [{ id: 1, words: 'one', by: 'Ada' }],
  zone: [
    { id: 1, __component: line.uid, words: 'two', by: 'Ada' },
    { id: 1, __component: sign.uid, words: 'three' },
  ],
}

/** A server with one entry, whose answers have the attributes that it is told, and which takes no notice of others. */
function serverOf(first: Json) {
  let shown = first
  let version = 1
  const bodies: Json[] = []
  const wire = new Wire(async (_url, { method, headers, body }) => {
    const tag = `"${version}"`
    const answer = (status: number, json: object) => ({
      status,
      headers: { get: (name: string) => (name === 'ETag' ? tag : null) },
      text: async () => JSON.stringify(json),
    })
    if (method === 'PUT' && headers['If-Match'] !== tag) return answer(412, { error: { status: 412 } })
    if (method === 'PUT') {
      const { data } = JSON.parse(body ?? '{}') as { readonly data: Json }
      bodies.push(data)
      const known = Object.entries(data).filter(([name, value]) => name in shown && typeof value === 'string')
      shown = { ...shown, ...Object.fromEntries(known) }
      version += 1
    }
    return answer(200, { data: { id: 7, attributes: shown } })
  })
  return {
    wire,
    bodies,
    change: (next: Json, isOtherVersion = true): void => {
      shown = next
      if (isOtherVersion) version += 1
    },
  }
}

const without = (name: string, of = stored): Json =>
  Object.fromEntries(Object.entries(of).filter(([key]) => key !== name))

async function open(
  wire: Wire,
  storage: OpenOptions['storage'],
  tab: string,
  options: Partial<OpenOptions> = {},
  of: FormModel = model,
) {
  const place = { person: 1, uid, route: 'doors', entry: 7 }
  const opened = await OpenEntry.open(wire, of, place, { storage, tab, ...options })
  if (!(opened instanceof OpenEntry)) throw new Error(opened.kind)
  return opened
}

const namesIn = ({ left }: OpenEntry) => left.map(({ mine }) => mine.fields)

describe('a field that the answers lack since the page was loaded', () => {
  it.each([
    ['another version', true],
    ['the same version, as where the answer to the save is the first without it', false],
  ])('keeps what was typed on the device until it is forgotten: %s', async (_, isOtherVersion) => {
    const kept = localStore()
    const { wire, change } = serverOf(stored)
    const first = await open(wire, kept, 'one')
    first.form.set('note', 'A morning of work')
    first.form.set('name', 'Back')
    change(without('note'), isOtherVersion)
    expect(await first.save()).toEqual({ kind: 'outdated' })
    expect(await first.save()).toEqual({ kind: 'outdated' })
    await first.close()
    const second = await open(wire, kept, 'two')
    expect(second.form.value().fields.note).toBeUndefined()
    expect(namesIn(second)).toEqual([{ note: { kind: 'scalar', value: 'A morning of work' } }])
    expect(second.form.value().fields.name).toEqual({ kind: 'scalar', value: 'Back' })
    expect(await second.save()).toMatchObject({ kind: 'saved' })
    await second.close()
    const third = await open(wire, kept, 'three')
    expect(namesIn(third)).toHaveLength(1)
    await third.forgetLeft()
    expect(await kept.keys('')).toEqual([])
  })

  it('takes part in the form again once the answers have it', async () => {
    const kept = localStore()
    const { wire, change, bodies } = serverOf(stored)
    const first = await open(wire, kept, 'one')
    first.form.set('note', 'A morning of work')
    change(without('note'))
    await first.save()
    await first.close()
    await (await open(wire, kept, 'two')).close()
    change(stored)
    const third = await open(wire, kept, 'three')
    expect(third.left).toEqual([])
    expect(await third.save()).toMatchObject({ kind: 'saved' })
    expect(bodies).toEqual([{ note: 'A morning of work' }])
    await third.close()
    expect(await kept.keys('')).toEqual([])
  })

  it('holds up no save where nothing was typed into it', async () => {
    const { wire, change, bodies } = serverOf(stored)
    const entry = await open(wire, localStore(), 'one')
    entry.form.set('name', 'Back')
    change(without('note'))
    expect(await entry.save()).toMatchObject({ kind: 'saved' })
    expect(bodies).toEqual([{ name: 'Back' }])
  })

  it('may be in a part', async () => {
    const kept = localStore()
    const { wire, change } = serverOf(stored)
    const entry = await open(wire, kept, 'one')
    entry.form.set('lines/door.line:1/by', 'Grace')
    change({ ...stored, lines: [{ id: 1, words: 'one' }] })
    expect(await entry.save()).toEqual({ kind: 'outdated' })
    await entry.close()
    const next = await open(wire, kept, 'two')
    expect(JSON.stringify(namesIn(next))).toContain('Grace')
    expect(next.isUnsaved).toBe(false)
  })
})

it.each([
  // As where the plugin of drafts, or the attribute that labels related entries, is taken away.
  ['names an attribute that the server lacks is one of an older page', 'query/unknown-attribute', 'outdated'],
  ['is beyond a limit has the reason of the server', 'query/answer-too-large', 'refused'],
])('a save whose query %s, and nothing is lost', async (_, code, kind) => {
  const kept = localStore()
  let isRefused = false
  const wire = new Wire(async () => ({
    status: isRefused ? 400 : 200,
    headers: { get: () => '"1"' },
    text: async () =>
      JSON.stringify(
        isRefused
          ? { error: { status: 400, message: 'No.', details: { code } } }
          : { data: { id: 7, attributes: stored } },
      ),
  }))
  const entry = await open(wire, kept, 'one')
  entry.form.set('note', 'A morning of work')
  isRefused = true
  expect(await entry.save()).toMatchObject({ kind })
  expect(await kept.keys('')).toHaveLength(1)
})

describe('another version of an entry', () => {
  it.each([
    ['of other definitions only is no change of somebody else', { ...stored, added: 'New' }, false],
    ['without a field that was not changed here is none either', without('zone'), false],
    ['with another value is one', { ...stored, note: 'Theirs' }, true],
  ])('%s', async (_, next, merged) => {
    const { wire, change } = serverOf(stored)
    const entry = await open(wire, localStore(), 'one')
    entry.form.set('name', 'Back')
    change(next)
    expect(await entry.save()).toEqual({ kind: 'saved', merged })
  })
})

describe('a local copy with what the page has no place for', () => {
  const newer = modelOf({
    types: [{ uid, attributes: { ...attributes, zone: { type: 'dynamiczone', components: [line.uid] } } }],
    components: [line],
  })

  it('is taken without a part of a kind that is gone, which is left', async () => {
    const kept = localStore()
    const { wire, change } = serverOf(stored)
    const first = await open(wire, kept, 'one')
    first.form.set('name', 'Back')
    first.form.set('zone/door.sign:1/words', 'Typed')
    first.form.set('zone/door.line:1/words', 'Typed too')
    await first.close()
    change({ ...stored, zone: [{ id: 1, __component: line.uid, words: 'two', by: 'Ada' }] })
    const second = await open(wire, kept, 'two', {}, newer)
    expect(second.form.updateBody()).toEqual({
      name: 'Back',
      zone: [{ __component: line.uid, id: 1, words: 'Typed too' }],
    })
    expect(JSON.stringify(namesIn(second))).toContain('"Typed"')
  })

  const withNote = (note: object) =>
    modelOf({ types: [{ uid, attributes: { ...attributes, note } as never }], components: [line, sign] })

  it.each([
    ['a part of a kind that is gone', 'zone/door.sign:1/words', { zone: [] }, { zone: [] }, newer],
    ['a field of another shape', 'note', { note: 'Theirs' }, { note: [] }, withNote(attributes.lines)],
    ['a field of another type', 'note', { note: 'Theirs' }, { note: [] }, withNote({ type: 'blocks' })],
  ])('ends the conflict about %s, and goes on with what is typed', async (_, key, theirs, later, of) => {
    const kept = localStore()
    const { wire, change } = serverOf(stored)
    const first = await open(wire, kept, 'one')
    first.form.set(key, 'Mine')
    change({ ...stored, ...theirs })
    expect(await first.save()).toEqual({ kind: 'overlaps' })
    await first.close()
    change({ ...stored, ...later })
    const troubles: unknown[] = []
    const second = await open(wire, kept, 'two', { onTrouble: (error) => troubles.push(error) }, of)
    expect(second.form.overlaps()).toEqual([])
    expect(JSON.stringify(namesIn(second))).toContain('"Mine"')
    second.form.set('name', 'Typed later')
    await second.keep()
    expect(troubles).toEqual([])
    const copies = await Promise.all((await kept.keys('')).map((copy) => kept.get(copy)))
    expect(copies.join()).toContain('Typed later')
    expect(await second.save()).toMatchObject({ kind: 'saved' })
  })

  it('is taken with a save whose answer did not come, of a part of a kind that is gone', async () => {
    const kept = localStore()
    const { wire, change } = serverOf(stored)
    let isLost = false
    const lossy = {
      request: async (...given: Parameters<Wire['request']>) =>
        isLost ? { kind: 'unknown' } : wire.request(...given),
    } as unknown as Wire
    const first = await open(lossy, kept, 'one')
    first.form.set('name', 'Back')
    first.form.set('zone/door.sign:1/words', 'Mine')
    isLost = true
    expect(await first.save()).toEqual({ kind: 'unknown' })
    await first.close()
    change({ ...stored, zone: [] })
    const troubles: unknown[] = []
    const second = await open(wire, kept, 'two', { onTrouble: (error) => troubles.push(error) }, newer)
    expect(JSON.stringify(namesIn(second))).toContain('"Mine"')
    expect(second.form.value().fields.name).toEqual({ kind: 'scalar', value: 'Back' })
    second.form.set('name', 'Typed later')
    await second.keep()
    expect(troubles).toEqual([])
    expect(await second.save()).toMatchObject({ kind: 'saved' })
    expect(second.stored?.attributes.name).toBe('Typed later')
  })

  it('is taken without a field that the person may not write any more, which is left', async () => {
    const kept = localStore()
    const { wire } = serverOf(stored)
    const first = await open(wire, kept, 'one')
    first.form.set('name', 'Back')
    first.form.set('note', 'Typed')
    await first.close()
    const second = await open(wire, kept, 'two', { mayGive: (path) => path !== 'note' })
    expect(second.form.updateBody()).toEqual({ name: 'Back' })
    expect(namesIn(second)).toEqual([{ note: { kind: 'scalar', value: 'Typed' } }])
  })

  const blocks = [{ type: 'paragraph', children: [{ type: 'text', text: 'Typed' }] }]

  it.each([
    ['text', 'Typed', 'boolean', true],
    ['text', 'Typed', 'blocks', blocks],
    ['text', 'Typed', 'date', '2026-03-02'],
    ['text', 'Typed', 'time', '09:30:00'],
    ['text', 'Typed', 'datetime', '2026-03-02T08:00:00.000Z'],
    ['blocks', blocks, 'richtext', 'Stored'],
    ['json', { words: 'Typed' }, 'string', 'Stored'],
  ])('leaves a value whose type has changed: %s %j to %s', async (type, typed, laterType, later) => {
    const kept = localStore()
    const { wire, change } = serverOf({ ...stored, note: null })
    const first = await open(wire, kept, 'one', {}, withNote({ type }))
    first.form.set('note', typed)
    await first.close()
    change({ ...stored, note: later })
    const second = await open(wire, kept, 'two', {}, withNote({ type: laterType }))
    expect(second.form.value().fields.note).toEqual({ kind: 'scalar', value: later })
    expect(namesIn(second)).toEqual([{ note: { kind: 'scalar', value: typed } }])
  })

  it.each([
    ['text', 'Typed', 'richtext'],
    ['text', 'Typed', 'json'],
    ['text', 'Typed', 'integer'],
    ['integer', '12 or so', 'decimal'],
    ['datetime', '2026-03-02T08:00:00.000Z', 'date'],
    ['enumeration', 'song', 'string'],
  ])('takes a value that the input of another type shows: %s %j as %s', async (type, typed, laterType) => {
    const kept = localStore()
    const { wire } = serverOf({ ...stored, note: null })
    const first = await open(wire, kept, 'one', {}, withNote({ type }))
    first.form.set('note', typed)
    await first.close()
    const second = await open(wire, kept, 'two', {}, withNote({ type: laterType }))
    expect(second.form.value().fields.note).toEqual({ kind: 'scalar', value: typed })
    expect(second.left).toEqual([])
  })

  it('leaves the text of JSON that is not valid yet where the field is no JSON any more', async () => {
    const kept = localStore()
    const { wire } = serverOf({ ...stored, note: null })
    const first = await open(wire, kept, 'one', {}, withNote({ type: 'json' }))
    first.form.set('note', null, { typing: true }, '{ "half')
    await first.close()
    const second = await open(wire, kept, 'two', {}, withNote({ type: 'text' }))
    expect(second.form.value().fields.note).toEqual({ kind: 'scalar', value: null })
    expect(JSON.stringify(namesIn(second))).toContain('half')
  })

  it('leaves a field of another shape', async () => {
    const kept = localStore()
    const { wire, change } = serverOf(stored)
    const first = await open(wire, kept, 'one')
    first.form.set('note', 'Typed')
    await first.close()
    change({ ...stored, note: [] })
    const other = modelOf({
      types: [{ uid, attributes: { ...attributes, note: attributes.lines } }],
      components: [line, sign],
    })
    const second = await open(wire, kept, 'two', {}, other)
    expect(second.isUnsaved).toBe(false)
    expect(namesIn(second)).toEqual([{ note: { kind: 'scalar', value: 'Typed' } }])
  })
})
