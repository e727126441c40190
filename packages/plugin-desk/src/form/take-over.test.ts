import { describe, expect, it } from 'vitest'
import { type FieldValue, Form, modelOf, readEntry, takeOver, takeOverAll } from './index.ts'

const uid = 'api::poem.poem'
const tag = 'api::tag.tag'
const model = modelOf({
  types: [
    {
      uid,
      attributes: {
        title: { type: 'string' },
        note: { type: 'text' },
        form: { type: 'string' },
        code: { type: 'password' },
        tags: { type: 'relation', relation: 'manyToMany', target: tag },
        verses: { type: 'component', component: 'poem.verse', repeatable: true },
      },
    },
    { uid: tag, attributes: { name: { type: 'string' } } },
  ],
  components: [
    {
      uid: 'poem.verse',
      attributes: { line: { type: 'string' }, mark: { type: 'string', default: 'none' } },
    },
  ],
})

const linked = (...ids: readonly number[]) => ({
  data: ids.map((id) => ({ id, attributes: { name: `tag ${id}` } })),
})
const english = readEntry(model, uid, {
  id: 1,
  attributes: {
    title: 'The river',
    note: null,
    form: 'ode',
    tags: linked(3, 2),
    verses: [
      { id: 11, line: 'It spoke.', mark: 'loud' },
      { id: 12, line: 'We heard.', mark: 'low' },
    ],
  },
})
const french = readEntry(model, uid, {
  id: 2,
  attributes: {
    title: 'La rivière',
    note: 'Une note.',
    form: 'sonnet',
    tags: linked(1, 2),
    verses: [{ id: 21, line: 'Elle parla.', mark: 'fort' }],
  },
})

const everything = { mayWrite: () => true, mayReplace: () => true }

describe('a translation that is taken over whole', () => {
  const isTaken = ({ name }: { readonly name: string }) => name !== 'form'

  it('has the values of the other language, where there are any, and copies of its parts', () => {
    const form = new Form(model, french)
    expect(takeOverAll(form, english, isTaken, everything)).toBe(3)
    expect(form.updateBody()).toEqual({
      title: 'The river',
      tags: { connect: [{ id: 3, position: { start: true } }], disconnect: [1] },
      verses: [
        { line: 'It spoke.', mark: 'loud' },
        { line: 'We heard.', mark: 'low' },
      ],
    })
    // Values that only this language has stay, and so do values that all languages share.
    expect(form.value().fields).toMatchObject({ note: { value: 'Une note.' }, form: { value: 'sonnet' } })
  })

  it('is undone and done again in one step', () => {
    const form = new Form(model, french)
    form.set('note', 'Une autre note.')
    takeOverAll(form, english, isTaken, everything)
    const taken = form.updateBody()
    form.undo()
    expect(form.updateBody()).toEqual({ note: 'Une autre note.' })
    form.redo()
    expect(form.updateBody()).toEqual(taken)
    form.undo()
    form.undo()
    expect(form.canUndo).toBe(false)
    expect(form.isChanged).toBe(false)
  })

  it('is no step when there is nothing to take over', () => {
    const form = new Form(model, french)
    expect(takeOverAll(form, english, () => false, everything)).toBe(0)
    expect(form.canUndo).toBe(false)
  })
})

describe('a translation whose parts may be written in some of their fields', () => {
  const isOf = (key: string, ...names: readonly string[]) => names.includes(key.split('/').at(-1) ?? '')
  const allowed = { mayWrite: (key: string) => isOf(key, 'verses', 'line'), mayReplace: () => false }

  it('takes these fields over in the parts that are there, and begins further parts with them alone', () => {
    const form = new Form(model, french)
    takeOver(form, 'verses', english.fields.verses as FieldValue, allowed)
    expect(form.updateBody()).toEqual({
      // The default of a new part is its own.
      verses: [
        { id: 21, line: 'It spoke.' },
        { line: 'We heard.', mark: 'none' },
      ],
    })
    form.undo()
    expect(form.updateBody()).toBeUndefined()
  })

  it('keeps the parts that the other language has not', () => {
    const form = new Form(model, english)
    takeOver(form, 'verses', french.fields.verses as FieldValue, allowed)
    expect(form.updateBody()).toEqual({ verses: [{ id: 11, line: 'Elle parla.' }, { id: 12 }] })
  })
})
