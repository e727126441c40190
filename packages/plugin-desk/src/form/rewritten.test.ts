/** Parts that all languages share, which a change in another language has written anew, with other ids. */
import { describe, expect, it } from 'vitest'
import { quiet } from '../../test/form/arbitrary.ts'
import { Form, type FormModel, type GroupValue, readEntry } from './index.ts'
import { itemsOf } from './value.ts'

const uid = 'api::page.page'
const localized = { pluginOptions: { i18n: { localized: true } } }
const parts = { type: 'component', component: 'page.link', repeatable: true }
const model: FormModel = {
  contentTypes: {
    [uid]: { uid, isLocalized: true, attributes: { shared: parts, own: { ...parts, ...localized } } },
  },
  components: {
    'page.link': {
      uid: 'page.link',
      attributes: {
        label: { type: 'string' },
        address: { type: 'string' },
        inner: { type: 'component', component: 'page.inner', repeatable: true },
      },
    },
    'page.inner': { uid: 'page.inner', attributes: { text: { type: 'string' } } },
  },
}

interface Link {
  readonly id: number
  readonly label: string
  readonly address?: string
  readonly inner?: readonly object[]
}

const links: readonly Link[] = [
  { id: 1, label: 'a', address: '/a', inner: [{ id: 5, text: 'in a' }] },
  { id: 2, label: 'b', address: '/b' },
  { id: 3, label: 'c', address: '/c' },
]
const stored = (name: 'shared' | 'own', given: readonly Link[]): GroupValue =>
  readEntry(model, uid, { id: 7, attributes: { [name]: given } })
const anew = (given: readonly Link[]): readonly Link[] =>
  given.map((link) => ({
    ...link,
    id: link.id + 10,
    inner: link.inner?.map((one) => ({ ...one, id: 15 })) ?? [],
  }))

const address = (n: number) => `shared/page.link:${n}/address`
const shown = (form: Form) =>
  itemsOf(form.value().fields.shared).map(({ id, fields }) => [
    id,
    ...[fields.label, fields.address].map((field) => field?.kind === 'scalar' && field.value),
  ])

describe('parts that all languages share', () => {
  it('are changed where they are, once another language has written them anew', () => {
    const form = new Form(model, stored('shared', links), quiet())
    form.set(address(2), '/mine')
    form.set('shared/page.link:1/inner/page.inner:5/text', 'mine in a')
    const [a, b, c] = anew(links)
    if (!a || !b || !c) throw new Error('three links')
    expect(form.receive(stored('shared', [{ ...c, label: 'theirs' }, a, b]))).toEqual([])
    expect(shown(form)).toEqual([
      [13, 'theirs', '/c'],
      [11, 'a', '/a'],
      [12, 'b', '/mine'],
    ])
    expect(form.updateBody()).toEqual({
      shared: [{ id: 13 }, { id: 11, inner: [{ id: 15, text: 'mine in a' }] }, { id: 12, address: '/mine' }],
    })
  })

  it('have a conflict in the field that both have changed', () => {
    const form = new Form(model, stored('shared', links), quiet())
    form.set(address(2), '/mine')
    const theirs = anew(links).map((link) => (link.id === 12 ? { ...link, address: '/theirs' } : link))
    const overlaps = form.receive(stored('shared', theirs))
    expect(overlaps).toMatchObject([
      { key: address(2), mine: { value: '/mine' }, theirs: { value: '/theirs' } },
    ])
    expect(overlaps[0]).not.toHaveProperty('component')
    form.resolve(overlaps[0] as (typeof overlaps)[0], 'mine')
    expect(form.updateBody()).toEqual({ shared: [{ id: 11 }, { id: 12, address: '/mine' }, { id: 13 }] })
  })

  it('are removed where the other language has removed them, beside parts that both have added', () => {
    const form = new Form(model, stored('shared', links), quiet())
    form.set(address(1), '/mine')
    const added = form.insert('shared', 'page.link')
    form.set(`${added}/label`, 'added by me')
    const theirs = [...anew(links).slice(1), { id: 20, label: 'added by them' }]
    expect(form.receive(stored('shared', theirs))).toMatchObject([
      { key: 'shared', component: 'page.link:1' },
    ])
    expect(
      shown(form)
        ?.map(([, label]) => label)
        .toSorted(),
    ).toEqual(['a', 'added by me', 'added by them', 'b', 'c'])
  })

  it('are told apart by their ids where each language has its own', () => {
    const form = new Form(model, stored('own', links), quiet())
    form.set('own/page.link:2/address', '/mine')
    expect(form.receive(stored('own', anew(links)))).toMatchObject([{ key: 'own', component: 'page.link:2' }])
  })
})
