import { runs } from '@octavo/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Choice, choices, edit, loadedEntry, quiet, storedEntry } from '../../test/form/arbitrary.ts'
import { everyContentType, everyType } from '../../test/form/models.ts'
import { put } from '../../test/form/stored.ts'
import { Form, type GroupValue, mergeEntries, readEntry, sameField, sameFields } from './index.ts'

const uid = 'api::every.every'
const cases = runs(60, 1_000)

const edited = (base: GroupValue, edits: readonly Choice[], prefix: string): GroupValue => {
  const form = new Form(everyType, base, quiet(prefix))
  for (const choice of edits) edit(form, choice)
  return form.value()
}

/** The components in a value that have ids, by path: `list/part.outer:3`. */
function ids(group: GroupValue, at = ''): readonly string[] {
  return Object.entries(group.fields).flatMap(([name, field]) =>
    field.kind === 'components'
      ? field.items.flatMap((item) => [
          ...(item.id === undefined ? [] : [`${at}${name}/${item.uid}:${item.id}`]),
          ...ids(item, `${at}${name}/${item.uid}:${item.id}/`),
        ])
      : [],
  )
}

describe('a form, with random entries and edits', () => {
  it.each(everyContentType)('that is not changed sends nothing: %s', (_name, model, type) => {
    fc.assert(
      fc.property(loadedEntry(model, type), (base) => {
        const form = new Form(model, base)
        expect(form.updateBody()).toBeUndefined()
        expect(form.isChanged).toBe(false)
        expect(form.value()).toEqual(base)
      }),
      { numRuns: 15 },
    )
  })

  it.each(everyContentType)(
    'sends what makes the stored entry equal to the form: %s',
    (_name, model, type) => {
      fc.assert(
        fc.property(storedEntry(model, type), choices(12), ({ stored, ids: next }, edits) => {
          const base = readEntry(model, type, stored)
          const form = new Form(model, base, quiet())
          for (const choice of edits) edit(form, choice)
          const sent = form.value()
          const body = form.updateBody()
          expect(form.isChanged).toBe(body !== undefined)
          const answer = readEntry(model, type, put(model, type, stored, body ?? {}, next))
          form.saved(sent, answer)
          expect(form.updateBody()).toBeUndefined()
          expect(form.isChanged).toBe(false)
          const kept = ids(sent).filter((id) => ids(base).includes(id))
          expect(ids(answer)).toEqual(expect.arrayContaining(kept))
          // Everything but passwords came back, so that the form has the answer.
          for (const [name, field] of Object.entries(answer.fields))
            if (field.kind !== 'scalar' || field.value !== undefined)
              expect([name, sameFields(form.value().fields, { [name]: field })]).toEqual([name, true])
          expect(sameContentOf(form.value(), answer)).toBe(true)
        }),
        { numRuns: Math.ceil(cases / 3) },
      )
    },
  )

  it('undoes and does again everything', () => {
    fc.assert(
      fc.property(loadedEntry(everyType, uid), choices(25), (base, edits) => {
        const form = new Form(everyType, base, quiet())
        for (const choice of edits) edit(form, choice)
        const end = form.value()
        while (form.canUndo) form.undo()
        expect(form.value()).toEqual(base)
        expect(form.updateBody()).toBeUndefined()
        expect(form.summary('')).toMatchObject({ changed: 0 })
        while (form.canRedo) form.redo()
        expect(form.value()).toEqual(end)
      }),
      { numRuns: cases },
    )
  })

  it('undo after a save leads back as well, and what it restores can be saved', () => {
    fc.assert(
      fc.property(storedEntry(everyType, uid), choices(12), ({ stored, ids: next }, edits) => {
        const base = readEntry(everyType, uid, stored)
        const form = new Form(everyType, base, quiet())
        for (const choice of edits) edit(form, choice)
        let sent = form.value()
        const first = put(everyType, uid, stored, form.updateBody() ?? {}, next)
        form.saved(sent, readEntry(everyType, uid, first))
        while (form.canUndo) form.undo()
        sent = form.value()
        const second = put(everyType, uid, first, form.updateBody() ?? {}, next)
        form.saved(sent, readEntry(everyType, uid, second))
        expect(form.updateBody()).toBeUndefined()
        expect(sameContentOf(form.value(), base)).toBe(true)
      }),
      { numRuns: cases },
    )
  })
})

describe('the merge of two changes', () => {
  const two = fc.tuple(loadedEntry(everyType, uid), choices(8), choices(8))

  it('has the value of the only side that changed', () => {
    fc.assert(
      fc.property(two, ([base, edits]) => {
        const x = edited(base, edits, 'x')
        expect(mergeEntries(everyType, base, x, base)).toEqual({ value: x, overlaps: [] })
        const other = mergeEntries(everyType, base, base, x)
        expect(other.overlaps).toEqual([])
        expect(sameFields(other.value.fields, x.fields)).toBe(true)
        expect(mergeEntries(everyType, base, x, x)).toEqual({ value: x, overlaps: [] })
      }),
      { numRuns: cases },
    )
  })

  it('does not depend on the side where nothing overlaps, and shows both values where something does', () => {
    fc.assert(
      fc.property(two, ([base, some, others]) => {
        const [x, y] = [edited(base, some, 'x'), edited(base, others, 'y')]
        const [one, other] = [mergeEntries(everyType, base, x, y), mergeEntries(everyType, base, y, x)]
        expect(one.overlaps.length).toBe(other.overlaps.length)
        if (one.overlaps.length === 0) expect(sameFields(one.value.fields, other.value.fields)).toBe(true)
        for (const { mine, theirs } of one.overlaps) expect(sameField(mine, theirs)).toBe(false)
      }),
      { numRuns: cases * 2 },
    )
  })

  it('a save whose answer was lost is recognised, whatever was typed since', () => {
    fc.assert(
      fc.property(
        storedEntry(everyType, uid),
        choices(8),
        choices(4),
        ({ stored, ids: next }, edits, more) => {
          const form = new Form(everyType, readEntry(everyType, uid, stored), quiet())
          for (const choice of edits) edit(form, choice)
          const pending = form.value()
          const after = put(everyType, uid, stored, form.updateBody() ?? {}, next)
          for (const choice of more) edit(form, choice)
          const typed = form.value()
          expect(form.receive(readEntry(everyType, uid, after), [pending])).toEqual([])
          expect(sameContentOf(form.value(), typed)).toBe(true)
        },
      ),
      { numRuns: cases },
    )
  })
})

/** Equal content at every depth, whatever the ids and keys; secrets are not compared. */
function sameContentOf(one: GroupValue, other: GroupValue): boolean {
  return Object.entries(one.fields).every(([name, field]) => {
    const twin = other.fields[name]
    if (!twin || twin.kind !== field.kind) return false
    if (field.kind !== 'components' || twin.kind !== 'components')
      return (
        (twin.kind === 'scalar' &&
          (twin.value === undefined || (field.kind === 'scalar' && field.value === undefined))) ||
        sameField(field, twin)
      )
    return (
      field.items.length === twin.items.length &&
      field.items.every(
        (item, i) => item.uid === twin.items[i]?.uid && sameContentOf(item, twin.items[i] ?? item),
      )
    )
  })
}
