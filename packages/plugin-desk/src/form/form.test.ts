import { describe, expect, it } from 'vitest'
import { quiet } from '../../test/form/arbitrary.ts'
import { everyType } from '../../test/form/models.ts'
import { createBody } from './body.ts'
import {
  emptyGroup,
  Form,
  type FormModel,
  type GroupValue,
  keyNamed,
  placeErrors,
  readEntry,
} from './index.ts'

const uid = 'api::every.every'

const attributes = {
  string: 'First light',
  richtext: 'A <b>bold</b> line &amp; *stars*\r\n',
  integer: 3,
  json: { b: 1, a: [null] },
  blocks: [{ type: 'mystery', odd: { z: 1, a: 2 }, children: [] }],
  one: { data: { id: 1, attributes: { name: 'one' } } },
  many: { data: [1, 2, 3, 4, 5].map((id) => ({ id, attributes: { name: `entry ${id}` } })) },
  single: { id: 1, title: 'Single', inner: { id: 1, label: 'deep', code: null, innermost: [] } },
  list: [
    { id: 2, title: 'a', body: [{ type: 'callout', keep: true }] },
    { id: 3, title: 'b', body: null },
  ],
  zone: [
    { id: 4, __component: 'part.outer', title: 'in a zone' },
    { id: 1, __component: 'part.inner', label: 'inner' },
  ],
}

const stored = (more: object = {}): GroupValue =>
  readEntry(everyType, uid, { id: 7, attributes: { ...attributes, ...more } })
const open = (more: object = {}): Form => new Form(everyType, stored(more), quiet())

describe('the body of a form', () => {
  it('repeats a create that was sent without the parts of a kind that is gone since', () => {
    const value = stored()
    const { components, contentTypes } = everyType
    const { 'part.inner': _, ...others } = components
    const later: FormModel = { contentTypes, components: others }
    expect(createBody(later, value).zone).toMatchObject([{ __component: 'part.outer', title: 'in a zone' }])
  })

  it('has changed attributes only, and the ids of components that stay', () => {
    const form = open()
    form.set('single/part.outer:1/inner/part.inner:1/label', 'deeper')
    form.set('zone/part.inner:1/label', 'changed')
    expect(form.updateBody()).toEqual({
      single: { id: 1, inner: { id: 1, label: 'deeper' } },
      zone: [
        { __component: 'part.outer', id: 4 },
        { __component: 'part.inner', id: 1, label: 'changed' },
      ],
    })
  })

  it('moves, adds and removes linked entries by connect and disconnect', () => {
    const form = open()
    form.moveLink('many', 5, 0)
    form.unlink('many', 2)
    form.link('many', { id: 9 }, 3)
    form.link('many', { id: 10 })
    form.link('one', { id: 8 })
    expect(form.updateBody()).toEqual({
      one: 8,
      many: {
        connect: [{ id: 5, position: { start: true } }, { id: 9, position: { after: 3 } }, { id: 10 }],
        disconnect: [2],
      },
    })
    form.unlink('one', 8)
    expect(form.updateBody()).toMatchObject({ one: null })
  })

  it('of a new component has its values without empty ones, and null in place of a default', () => {
    const form = open()
    const item = form.insert('zone', 'part.inner', 1)
    expect(form.get(`${item}/label`)).toMatchObject({ value: 'new' })
    form.set(`${item}/label`, null)
    const copy = form.insert('list', form.copied('list/part.outer:2'))
    form.set(`${copy}/title`, 'a copy')
    expect(form.updateBody()).toEqual({
      list: [{ id: 2 }, { id: 3 }, { title: 'a copy', body: [{ type: 'callout', keep: true }] }],
      zone: [
        { __component: 'part.outer', id: 4 },
        { __component: 'part.inner', label: null },
        { __component: 'part.inner', id: 1 },
      ],
    })
  })

  it('leaves rich text, HTML in Markdown and nodes that nobody knows byte for byte', () => {
    const form = open()
    form.set('list/part.outer:3/title', 'changed')
    expect(form.updateBody()).toEqual({ list: [{ id: 2 }, { id: 3, title: 'changed' }] })
    form.remove('list/part.outer:2')
    form.undo()
    const { fields } = form.value()
    expect(JSON.stringify([fields.richtext, fields.blocks, fields.json])).toBe(
      JSON.stringify(
        [attributes.richtext, attributes.blocks, attributes.json].map((value) => ({ kind: 'scalar', value })),
      ),
    )
  })

  it('of a new entry has the defaults', () => {
    const form = new Form(everyType, emptyGroup(everyType, uid), quiet())
    expect(form.isChanged).toBe(false)
    form.set('string', 'New')
    form.link('many', { id: 2 })
    form.insert('single', 'part.outer')
    expect(form.createBody()).toEqual({
      string: 'New',
      enumeration: 'one',
      boolean: false,
      many: [2],
      single: {},
    })
  })

  it('never has a field that the editor may not read, and a password only when it is typed', () => {
    const form = new Form(
      everyType,
      readEntry(everyType, uid, { id: 1, attributes: { integer: 1 } }),
      quiet(),
    )
    expect(form.find('string')).toBeUndefined()
    expect(form.get('password')).toMatchObject({ value: undefined })
    form.set('password', 'correct horse')
    const sent = form.value()
    expect(form.updateBody()).toEqual({ password: 'correct horse' })
    form.saved(sent, readEntry(everyType, uid, { id: 1, attributes: { integer: 1 } }))
    expect(form.get('password')).toMatchObject({ value: undefined, changed: false })
  })
})

describe('subscriptions', () => {
  const parts = 200
  const model: FormModel = {
    contentTypes: {
      page: {
        uid: 'page',
        attributes: { title: { type: 'string' }, zone: { type: 'dynamiczone', components: ['part'] } },
      },
    },
    components: {
      part: {
        uid: 'part',
        attributes: Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, { type: 'string' }])),
      },
    },
  }
  const zone = Array.from({ length: parts }, (_, i) => ({
    id: i + 1,
    __component: 'part',
    a: '',
    b: '',
    c: '',
    d: '',
    e: '',
  }))

  it('hear of one node and of the summaries above it, among 1,000 inputs in 200 components', () => {
    const form = new Form(
      model,
      readEntry(model, 'page', { id: 1, attributes: { title: 'Long', zone } }),
      quiet(),
    )
    const heard: string[] = []
    const keys = ['', 'title', 'zone']
    for (const item of zone) {
      const key = `zone/part:${item.id}`
      keys.push(key, ...['a', 'b', 'c', 'd', 'e'].map((name) => `${key}/${name}`))
    }
    for (const key of keys) {
      form.subscribe(key, () => heard.push(key))
      form.subscribeSummary(key, () => heard.push(`below ${key}`))
    }
    const before = keys.map((key) => form.get(key))
    form.set('zone/part:100/c', 'x', { typing: true })
    expect(heard.toSorted()).toEqual(
      ['below ', 'below zone', 'below zone/part:100', 'below zone/part:100/c', 'zone/part:100/c'].toSorted(),
    )
    expect(keys.filter((key, i) => form.get(key) !== before[i])).toEqual(['zone/part:100/c'])
    heard.length = 0
    form.set('zone/part:100/c', 'xy', { typing: true })
    expect(heard).toHaveLength(5)
    expect(form.summary('')).toMatchObject({ changed: 1, errors: 0, overlaps: 0 })
  })

  it('end, and a transaction calls each subscriber once', () => {
    const form = open()
    let calls = 0
    const end = form.subscribeSummary('', () => {
      calls += 1
    })
    form.transaction(() => {
      form.set('string', 'one')
      form.set('integer', 8)
      form.remove('list/part.outer:2')
    })
    expect(calls).toBe(1)
    end()
    form.undo()
    expect([calls, form.isChanged, form.canUndo]).toEqual([1, false, false])
  })
})

describe('text that is no value yet', () => {
  it('is a change that undo takes back, is never sent, and overlaps with the value of somebody else', () => {
    const form = open()
    form.set('json', attributes.json, {}, '{"b": 1, ')
    expect([form.isChanged, form.updateBody()]).toEqual([true, undefined])
    expect(form.mistakes()).toContainEqual({ key: 'json', message: 'is not complete yet.' })
    expect(form.receive(stored({ json: { b: 2 } }))).toMatchObject([
      { key: 'json', mine: { unfinished: '{"b": 1, ' }, theirs: { value: { b: 2 } } },
    ])
    form.undo()
    expect(form.get('json')).toMatchObject({ value: attributes.json, unfinished: undefined })
  })
})

describe('undo', () => {
  it('takes typing back in pieces: pauses and other fields divide it', () => {
    let time = 0
    const form = new Form(everyType, stored(), { now: () => time })
    const type = (key: string, value: string, after: number) => {
      time += after
      form.set(key, value, { typing: true })
    }
    type('string', 'a', 100)
    type('string', 'ab', 100)
    type('string', 'abc', 1_500)
    type('richtext', 'x', 100)
    expect(form.undo()).toBe('richtext')
    form.undo()
    expect(form.get('string')).toMatchObject({ value: 'ab' })
    form.undo()
    expect(form.get('string')).toMatchObject({ value: 'First light', changed: false })
    expect(form.canUndo).toBe(false)
    form.redo()
    expect(form.get('string')).toMatchObject({ value: 'ab' })
  })

  it('takes back what follows the typing in another field together with it', () => {
    const form = open({ uid: 'old' })
    for (const title of ['A', 'A r', 'A river']) {
      form.set('string', title, { typing: true })
      form.set('uid', title.toLowerCase().replace(' ', '-'), { typing: true, follows: 'string' })
    }
    form.undo()
    expect(form.value().fields).toMatchObject({ string: { value: 'First light' }, uid: { value: 'old' } })
    form.redo()
    expect(form.value().fields).toMatchObject({ string: { value: 'A river' }, uid: { value: 'a-river' } })
  })

  it('takes back what follows a step that was not typed together with it', () => {
    const form = open({ uid: 'old' })
    form.transaction(() => {
      form.set('integer', 5)
      form.set('string', 'A river')
    })
    form.set('uid', 'a-river', { typing: true, follows: 'string' })
    form.undo()
    expect(form.value().fields).toMatchObject({ string: { value: 'First light' }, uid: { value: 'old' } })
    expect(form.canUndo).toBe(false)
    form.redo()
    expect(form.value().fields).toMatchObject({ string: { value: 'A river' }, uid: { value: 'a-river' } })
  })

  it('leaves components that somebody else has added meanwhile', () => {
    const form = open()
    form.remove('list/part.outer:2')
    form.receive(stored({ list: [...attributes.list, { id: 50, title: 'theirs', body: null }] }))
    expect(form.get('list')).toMatchObject({ items: ['list/part.outer:3', 'list/part.outer:50'] })
    form.undo()
    expect(form.get('list')).toMatchObject({
      items: ['list/part.outer:2', 'list/part.outer:3', 'list/part.outer:50'],
    })
    expect(form.updateBody()).toBeUndefined()
  })
})

describe('changes of somebody else', () => {
  it('are taken over where they do not overlap', () => {
    const form = open()
    form.set('string', 'mine')
    form.set('list/part.outer:2/title', 'mine')
    const overlaps = form.receive(
      stored({ integer: 9, list: [attributes.list[1], { ...attributes.list[0], body: null }] }),
    )
    expect(overlaps).toEqual([])
    expect(form.get('integer')).toMatchObject({ value: 9, changed: false })
    expect(form.updateBody()).toEqual({ string: 'mine', list: [{ id: 3 }, { id: 2, title: 'mine' }] })
  })

  it('overlap where both sides changed a value, and one side is chosen', () => {
    const form = open()
    form.set('string', 'mine')
    form.receive(stored({ string: 'theirs' }))
    const [overlap] = form.overlaps()
    expect(overlap).toMatchObject({
      key: 'string',
      base: { value: 'First light' },
      mine: { value: 'mine' },
      theirs: { value: 'theirs' },
    })
    expect(form.summary('').overlaps).toBe(1)
    // A second merge does not forget the first.
    form.receive(stored({ string: 'theirs', integer: 4 }))
    expect(form.overlaps()).toHaveLength(1)
    if (overlap) form.resolve(overlap, 'theirs')
    expect(form.get('string')).toMatchObject({ value: 'theirs', changed: false, overlaps: [] })
    form.undo()
    expect(form.updateBody()).toEqual({ string: 'mine' })
  })

  it('a component that one side removed and the other changed stays until a person decides', () => {
    const edited = open()
    edited.set('list/part.outer:3/title', 'mine')
    edited.receive(stored({ list: [attributes.list[0]] }))
    expect(edited.overlaps()).toMatchObject([{ key: 'list', component: 'part.outer:3' }])
    expect(edited.updateBody()).toEqual({ list: [{ id: 2 }, { title: 'mine' }] })
    for (const overlap of edited.overlaps()) edited.resolve(overlap, 'theirs')
    expect(edited.updateBody()).toBeUndefined()

    const removed = open()
    removed.remove('list/part.outer:3')
    removed.receive(stored({ list: [attributes.list[0], { ...attributes.list[1], title: 'theirs' }] }))
    expect(removed.updateBody()).toEqual({ list: [{ id: 2 }] })
    for (const overlap of removed.overlaps()) removed.resolve(overlap, 'theirs')
    expect(removed.updateBody()).toBeUndefined()
    expect(removed.get('list/part.outer:3/title')).toMatchObject({ value: 'theirs' })
  })

  it('linked entries that both sides have added, thousands of them, are there once', () => {
    const ids = Array.from({ length: 10_000 }, (_, i) => i + 1)
    const linked = (more: readonly number[]) => ({
      many: { data: more.map((id) => ({ id, attributes: { name: `entry ${id}` } })) },
    })
    const form = open(linked([]))
    form.restore(stored(linked([])), stored(linked([...ids, 10_001])))
    expect(form.receive(stored(linked([10_002, ...ids])))).toEqual([])
    const many = form.get('many')
    expect(many.kind === 'relation' && many.items.map(({ id }) => id)).toEqual([10_002, ...ids, 10_001])
  })

  it('both orders changed: theirs can be taken, with what one has added', () => {
    const form = open()
    form.moveLink('many', 5, 0)
    form.link('many', { id: 9 })
    const many = { data: [2, 1, 3, 4, 5].map((id) => ({ id, attributes: {} })) }
    const [overlap] = form.receive(stored({ many }))
    expect(form.get('many')).toMatchObject({
      items: [{ id: 5 }, { id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }, { id: 9 }],
    })
    if (overlap) form.resolve(overlap, 'theirs')
    expect(form.updateBody()).toEqual({ many: { connect: [{ id: 9, position: { after: 4 } }] } })
  })
})

describe('a save', () => {
  it('keeps what was typed since, and the nodes of new components', () => {
    const form = open()
    const item = form.insert('list', 'part.outer')
    form.set(`${item}/title`, 'new')
    const sent = form.value()
    form.set(`${item}/title`, 'newer')
    form.set('string', 'typed')
    form.saved(sent, stored({ list: [...attributes.list, { id: 60, title: 'new', body: null }] }))
    expect(form.get(item)).toMatchObject({ id: 60 })
    expect(form.updateBody()).toEqual({
      string: 'typed',
      list: [{ id: 2 }, { id: 3 }, { id: 60, title: 'newer' }],
    })
  })
})

describe('errors', () => {
  it('of the server are at their nodes, also after a move, and count above them', () => {
    const form = open()
    const sent = form.value()
    form.move('list/part.outer:3', 0)
    form.setErrors(
      placeErrors(sent, [
        { path: ['list', '1', 'title'], message: 'list[1].title must be at least 2 characters' },
        { path: ['single', 'inner', 'label'], message: 'single.inner.label must be unique' },
        { path: ['many', '0'], message: 'many[0] does not exist' },
        { path: ['elsewhere'], message: 'elsewhere is odd' },
      ]),
    )
    expect(form.errors()).toEqual([
      { key: '', message: 'elsewhere is odd' },
      { key: 'many', message: 'does not exist' },
      { key: 'single/part.outer:1/inner/part.inner:1/label', message: 'must be unique' },
      { key: 'list/part.outer:3/title', message: 'must be at least 2 characters' },
    ])
    expect(form.summary('single').errors).toBe(1)
    expect(form.pathTo('list/part.outer:3/title')).toEqual([
      '',
      'list',
      'list/part.outer:3',
      'list/part.outer:3/title',
    ])
    form.set('list/part.outer:3/title', 'long enough')
    expect(form.summary('list').errors).toBe(0)
    expect(keyNamed(sent, 'single.title')).toBe('single/part.outer:1/title')
  })

  it('of the definition are found before a save, fewer for a draft', () => {
    const form = open()
    form.set('string', null)
    form.set('integer', -1)
    form.set('list/part.outer:2/title', 'fine')
    for (let i = 0; i < 4; i += 1) form.insert('list', 'part.outer')
    expect(form.mistakes()).toEqual([
      { key: 'string', message: 'may not be null.' },
      { key: 'integer', message: 'must be greater than or equal to 0' },
      { key: 'list', message: 'must have at most 5 items.' },
    ])
    expect(form.mistakes({ draft: true }).map(({ key }) => key)).toEqual(['integer', 'list'])
  })

  it('are not found in stored values that nobody has changed, unless a draft may have them', () => {
    const schema = {
      form: { type: 'enumeration', enum: ['news'] },
      summary: { type: 'text', required: true, minLength: 5 },
    }
    const model: FormModel = {
      contentTypes: {
        [uid]: {
          uid,
          attributes: { ...schema, parts: { type: 'component', component: 'part.one', repeatable: true } },
        },
      },
      components: { 'part.one': { uid: 'part.one', attributes: schema } },
    }
    const values = { form: 'gone', summary: 'Hi' }
    const form = new Form(
      model,
      readEntry(model, uid, { id: 1, attributes: { ...values, parts: [{ id: 1, ...values }] } }),
      quiet(),
    )
    expect(form.mistakes({ draft: true })).toEqual([])
    expect(form.mistakes().map(({ key }) => key)).toEqual(['summary', 'parts/part.one:1/summary'])
    form.set('form', 'gone as well')
    form.set('parts/part.one:1/form', 'gone as well')
    expect(form.mistakes({ draft: true }).map(({ key }) => key)).toEqual(['form', 'parts/part.one:1/form'])
    form.insert('parts', form.copied('parts/part.one:1'))
    expect(form.mistakes({ draft: true })).toHaveLength(3)
  })
})
