/** Values of another entry in a form, such as those of its translation. */
import type { Form } from './form.ts'
import type { FieldNode } from './nodes.ts'
import type { FieldValue, GroupValue } from './value.ts'

/** Gives a field the value that it has in another entry, in one step of undo. Parts are copies. */
export function takeOver(form: Form, key: string, value: FieldValue): void {
  const node = form.get(key)
  form.transaction(() => {
    if (value.kind === 'scalar') form.set(key, value.value)
    else if (value.kind === 'relation' && node.kind === 'relation') {
      for (const { id } of node.items) form.unlink(key, id)
      for (const entry of value.items) form.link(key, entry)
    } else if (value.kind === 'components' && node.kind === 'components') {
      for (const item of node.items) form.remove(item)
      for (const item of value.items) form.insert(key, item)
    }
  })
}

/**
 * Gives all fields of a form the values that they have in another entry, in one step of undo. What is empty there stays as it is here.
 *
 * @param isTaken Whether a field takes its value over.
 * @returns how many fields did
 */
export function takeOverAll(form: Form, other: GroupValue, isTaken: (node: FieldNode) => boolean): number {
  const root = form.get('')
  if (root.kind !== 'group') return 0
  let count = 0
  form.transaction(() => {
    for (const [name, key] of Object.entries(root.fields)) {
      const [node, value] = [form.get(key), other.fields[name]]
      if (node.kind === 'group' || !value || isEmpty(value) || !isTaken(node)) continue
      takeOver(form, key, value)
      count += 1
    }
  })
  return count
}

const isEmpty = (value: FieldValue): boolean =>
  value.kind === 'scalar'
    ? value.value === null || value.value === undefined || value.value === ''
    : value.items.length === 0
