import type { EntryInput, Model, Registry } from '@octavo/core'
import { userUid } from './content-types.ts'
import type { Grants } from './grants.ts'

/**
 * An input without relations to types that the caller may not `find`, in components as well: whether an id is known
 * there would otherwise show in the answer. They are ignored, as unknown names are.
 */
export function withoutUnreadable(
  input: EntryInput,
  model: Model,
  caller: { readonly grants: Grants; readonly userId?: number },
  registry: Registry,
): EntryInput {
  const kept = Object.entries(input).flatMap(([name, value]): readonly (readonly [string, unknown])[] => {
    const morph = model.morphs.get(name)
    if (morph) return typesIn(value).every((uid) => caller.grants.of(`${uid}.find`)) ? [[name, value]] : []
    const attribute = model.attributes.get(name)
    if (attribute?.kind === 'relation') {
      const isOpen =
        attribute.part ||
        // Who may write users may say which role they get.
        (model.uid === userUid && name === 'role') ||
        caller.grants.of(`${attribute.target}.find`) !== undefined ||
        // That they are there themselves is no news.
        (attribute.target === userUid && names(value, caller.userId))
      return isOpen ? [[name, value]] : []
    }
    if (attribute?.kind !== 'component' && attribute?.kind !== 'zone') return [[name, value]]
    const inside = (item: unknown): unknown => {
      if (typeof item !== 'object' || item === null) return item
      const given = item as EntryInput
      const uid = attribute.kind === 'component' ? attribute.component : given.__component
      const component = typeof uid === 'string' ? registry.components.get(uid) : undefined
      return component ? withoutUnreadable(given, component, caller, registry) : item
    }
    return [[name, Array.isArray(value) ? value.map(inside) : inside(value)]]
  })
  return Object.fromEntries(kept)
}

/** Whether a relation's value is this id and nothing else: `7`, `"7"`, `[7]` or `{ id: 7 }`. */
function names(value: unknown, id: number | undefined): boolean {
  if (id === undefined) return false
  if (Array.isArray(value)) return value.length === 1 && names(value[0], id)
  if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value)
    return keys.length === 1 && keys[0] === 'id' && names((value as { readonly id: unknown }).id, id)
  }
  return value === id || value === String(id)
}

/** The content-types that the value of a polymorphic relation names, in any of its forms. */
function typesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(typesIn)
  if (typeof value !== 'object' || value === null) return []
  const { type, __type, connect, disconnect, set } = value as Readonly<Record<string, unknown>>
  const own = type ?? __type
  return [...(typeof own === 'string' ? [own] : []), ...[connect, disconnect, set].flatMap(typesIn)]
}
