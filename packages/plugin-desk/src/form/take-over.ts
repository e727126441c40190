/** Values of another entry in a form, such as those of its translation. */
import type { Form } from './form.ts'
import type { ComponentsNode, FieldNode, FormNode } from './nodes.ts'
import type { FieldValue, GroupValue } from './value.ts'

/** The rights of a person to fields, by their keys. */
export interface Allowed {
  /** Whether a field may be written, or something in it. */
  readonly mayWrite: (key: string) => boolean
  /** Whether a field may be written with all that is in it: its parts may be taken away, and others put in their place. */
  readonly mayReplace: (key: string) => boolean
}

/**
 * Gives a field the value that it has in another entry, in one step of undo. Parts are copies. Where a person may write only some fields of
 * the parts, those take their values over in the parts that are there, by their places, and other parts begin with those fields only.
 */
export function takeOver(form: Form, key: string, value: FieldValue, allowed: Allowed): void {
  const node = form.get(key)
  form.transaction(() => {
    if (value.kind === 'scalar') form.set(key, value.value)
    else if (value.kind === 'relation' && node.kind === 'relation') {
      for (const { id } of node.items) form.unlink(key, id)
      for (const entry of value.items) form.link(key, entry)
    } else if (value.kind === 'components' && node.kind === 'components') {
      if (!allowed.mayReplace(key)) return takeOverWithin(form, node, value.items, allowed)
      for (const item of node.items) form.remove(item)
      for (const item of value.items) form.insert(key, item)
    }
  })
}

function takeOverWithin(
  form: Form,
  { key, items }: ComponentsNode,
  others: readonly GroupValue[],
  allowed: Allowed,
): void {
  for (const [i, other] of others.entries()) {
    const group = form.get(items[i] ?? form.insert(key, other.uid))
    if (group.kind !== 'group') continue
    for (const [name, value] of Object.entries(other.fields)) {
      const field = group.fields[name]
      if (field !== undefined && isTakenOver(form.get(field), allowed)) takeOver(form, field, value, allowed)
    }
  }
}

/** Whether a field takes the value of another language over. A stored password is not known. */
export const isTakenOver = (node: FormNode, { mayWrite }: Allowed): boolean =>
  node.kind !== 'group' && node.definition.type !== 'password' && mayWrite(node.key)

/**
 * Gives all fields of a form the values that they have in another entry, in one step of undo. Fields that are empty there stay as they are here.
 *
 * @param isTaken Whether a field takes its value over.
 * @returns how many fields did
 */
export function takeOverAll(
  form: Form,
  other: GroupValue,
  isTaken: (node: FieldNode) => boolean,
  allowed: Allowed,
): number {
  const root = form.get('')
  if (root.kind !== 'group') return 0
  let count = 0
  form.transaction(() => {
    for (const [name, key] of Object.entries(root.fields)) {
      const [node, value] = [form.get(key), other.fields[name]]
      if (node.kind === 'group' || !value || isEmpty(value) || !isTaken(node)) continue
      takeOver(form, key, value, allowed)
      count += 1
    }
  })
  return count
}

const isEmpty = (value: FieldValue): boolean =>
  value.kind === 'scalar'
    ? value.value === null || value.value === undefined || value.value === ''
    : value.items.length === 0
