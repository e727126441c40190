import { useRef } from 'react'
import type { Form } from '../../form/index.ts'
import { shownIn } from '../model/layout.ts'
import type { Model } from '../model/model.ts'
import { useSession } from '../model/session.tsx'
import { useEntry, useMadeOf } from './context.ts'

/** The name and the key of a field. */
export type ShownField = readonly [name: string, key: string]

/**
 * The fields that a form shows of an entry or a part: the fields of its layout in their order, then hidden fields that had a
 * mistake since the form was opened, such as a required field of a new entry. Without these the entry could not be saved.
 *
 * @param key The key of the entry or the part.
 */
export function useShownFields(key: string): readonly ShownField[] {
  const { form } = useEntry()
  const { model } = useSession()
  /** A field that is being filled in has no mistake any more, and has to stay. */
  const missed = useRef(new Set<string>())
  useMadeOf(key, () => {
    for (const [name] of hiddenMistakes(form, model, key)) missed.current.add(name)
    return missed.current.size
  })
  return fieldsOf(form, key, [...laidOut(form, model, key), ...missed.current])
}

const laidOut = (form: Form, model: Model, key: string): readonly string[] => {
  const node = form.find(key)
  return node?.kind === 'group' ? shownIn(model, node.uid) : []
}

function fieldsOf(form: Form, key: string, names: readonly string[]): readonly ShownField[] {
  const node = form.find(key)
  if (node?.kind !== 'group') return []
  return names.flatMap((name) => {
    const field = node.fields[name]
    return field === undefined ? [] : [[name, field] as const]
  })
}

function hiddenMistakes(form: Form, model: Model, key: string): readonly ShownField[] {
  const node = form.find(key)
  if (node?.kind !== 'group' || form.summary(key).errors === 0) return []
  const shown = new Set(laidOut(form, model, key))
  const hidden = Object.keys(node.fields).filter((name) => !shown.has(name))
  return fieldsOf(form, key, hidden).filter(([, field]) => form.summary(field).errors > 0)
}
