import { describe, expect, it } from 'vitest'
import { Form, modelOf, readEntry, takeOverAll } from './index.ts'

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
  components: [{ uid: 'poem.verse', attributes: { line: { type: 'string' } } }],
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
      { id: 11, line: 'It spoke.' },
      { id: 12, line: 'We heard.' },
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
    verses: [{ id: 21, line: 'Elle parla.' }],
  },
})

describe('a translation that is taken over whole', () => {
  const isTaken = ({ name }: { readonly name: string }) => name !== 'form'

  it('has the values of the other language, where there are any, and copies of its parts', () => {
    const form = new Form(model, french)
    expect(takeOverAll(form, english, isTaken)).toBe(3)
    expect(form.updateBody()).toEqual({
      title: 'The river',
      tags: { connect: [{ id: 3, position: { start: true } }], disconnect: [1] },
      verses: [{ line: 'It spoke.' }, { line: 'We heard.' }],
    })
    // Values that only this language has stay, and so do values that all languages share.
    expect(form.value().fields).toMatchObject({ note: { value: 'Une note.' }, form: { value: 'sonnet' } })
  })

  it('is undone and done again in one step', () => {
    const form = new Form(model, french)
    form.set('note', 'Une autre note.')
    takeOverAll(form, english, isTaken)
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
    expect(takeOverAll(form, english, () => false)).toBe(0)
    expect(form.canUndo).toBe(false)
  })
})
