import { describe, expect, it } from 'vitest'
import { duplicateOf, emptyGroup, Form, type FormModel, readEntry } from './index.ts'

const uid = 'api::page.page'
const relation = (kind: string, more: object = {}) => ({
  ...{ type: 'relation', relation: kind, target: uid },
  ...more,
})

const model: FormModel = {
  contentTypes: {
    [uid]: {
      uid,
      attributes: {
        title: { type: 'string', default: 'Untitled' },
        code: { type: 'string', unique: true },
        slug: { type: 'uid' },
        secret: { type: 'password' },
        one: relation('oneToOne'),
        owned: relation('oneToOne', { inversedBy: 'owner' }),
        children: relation('oneToMany', { mappedBy: 'parent' }),
        parent: relation('manyToOne', { inversedBy: 'children' }),
        many: relation('manyToMany', { inversedBy: 'others' }),
        hidden: { type: 'string' },
        parts: { type: 'component', component: 'page.part', repeatable: true },
      },
    },
  },
  components: {
    'page.part': {
      uid: 'page.part',
      attributes: { text: { type: 'string' }, number: { type: 'string', unique: true } },
    },
  },
}

const linked = (...ids: readonly number[]) => ({ data: ids.map((id) => ({ id, attributes: {} })) })

const original = readEntry(model, uid, {
  id: 7,
  attributes: {
    ...{ title: 'First', code: 'A1', slug: 'first', hidden: 'seen' },
    ...{ one: { data: { id: 1 } }, owned: { data: { id: 2 } }, children: linked(3, 4) },
    ...{ parent: { data: { id: 5 } }, many: linked(6, 8) },
    parts: [{ id: 1, text: 'part', number: '1' }],
  },
})

describe('a copy of an entry', () => {
  it('has what several entries may have, and names what it lacks', () => {
    const { value, left } = duplicateOf(model, original, (path) => path !== 'hidden')
    const form = new Form(model, emptyGroup(model, uid), { mine: value })
    expect(form.createBody()).toEqual({
      ...{ title: 'First', one: 1, parent: 5, many: [6, 8], parts: [{ text: 'part' }] },
    })
    expect(left).toEqual([
      ...['code', 'slug', 'secret', 'owned', 'children', 'hidden'],
      'parts/page.part:1/number',
    ])
  })

  it('has parts without ids, whose keys are new', () => {
    const { value } = duplicateOf(model, original, () => true)
    const { parts } = value.fields
    const items = parts?.kind === 'components' ? parts.items : []
    expect(items).toMatchObject([{ uid: 'page.part', id: undefined }])
    expect(items[0]?.key).toMatch(/^\+/)
    expect(value.id).toBeUndefined()
  })
})
