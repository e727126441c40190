import type { FieldNode, Form } from '../../form/index.ts'
import { type FieldLook, lookOf, mainFieldOf } from '../model/layout.ts'
import type { Component, Model } from '../model/model.ts'
import { beginningOf, isBlank } from '../text/index.ts'

export function lookOfNode(form: Form, model: Model, node: FieldNode): FieldLook {
  const owner = form.find(node.parent ?? '')
  return lookOf(model, owner?.kind === 'group' ? owner.uid : '', node.name)
}

/** Whether the layout shows a field, or a part that has it, without a way to change it. */
export const isShownOnly = (form: Form, model: Model, key: string): boolean =>
  form.pathTo(key).some((at) => {
    const node = form.find(at)
    return node !== undefined && node.kind !== 'group' && lookOfNode(form, model, node).readOnly === true
  })

/** The place of a field in words: `Sections 3 / Text`. */
export function placeOf(form: Form, model: Model, key: string): string {
  const words = form.pathTo(key).flatMap((at): readonly string[] => {
    const node = form.find(at)
    if (!node || at === '') return []
    if (node.kind !== 'group') return [lookOfNode(form, model, node).label]
    const list = form.find(node.parent ?? '')
    return list?.kind === 'components' && list.shape.many ? [String(list.items.indexOf(at) + 1)] : []
  })
  return words
    .reduce<string[]>((parts, word) => {
      if (/^\d+$/.test(word) && parts.length > 0) parts[parts.length - 1] += ` ${word}`
      else parts.push(word)
      return parts
    }, [])
    .join(' / ')
}

/** A part in a few words: its name, its first text, or the number of its parts. */
export function summaryOf(form: Form, key: string, component: Component | undefined): string {
  const node = form.find(key)
  if (node?.kind !== 'group' || !component) return ''
  const main = mainFieldOf(component)
  const names = [...(main ? [main] : []), ...Object.keys(node.fields)]
  for (const name of names) {
    const field = form.find(node.fields[name] ?? ' ')
    if (field?.kind === 'scalar' && typeof field.value === 'string' && !isBlank(field.value))
      return beginningOf(field.value, 120)
    if (field?.kind === 'relation') {
      const first = field.items[0]?.attributes
      const label = first && Object.values(first).find((value) => typeof value === 'string')
      if (typeof label === 'string')
        return field.items.length > 1 ? `${label} +${field.items.length - 1}` : label
    }
  }
  return ''
}
