import { isValue, type Model, type ValueAttribute } from '../content-type/model.ts'
import { problem } from '../error/problems.ts'
import type { RawNode } from '../parse/raw.ts'
import { unknownAttribute } from './refuse.ts'
import type { Scope } from './scope.ts'

/**
 * The attributes in a response: the named ones, or all that the caller may read, in the model's order.
 *
 *     fields=title           → title
 *     fields=id              → none; the id is always included
 *     fields=* or no fields  → every scalar; names beside * are checked
 *
 * @throws ValidationError for a name that is unknown, hidden from the caller, or not a scalar.
 */
export function resolveFields(
  fields: RawNode['fields'],
  model: Model,
  use: 'root' | 'populate',
  scope: Scope,
): readonly ValueAttribute[] {
  let isAll = fields === undefined || fields === '*'
  const named = new Set<string>()
  if (fields !== undefined && fields !== '*') {
    for (const { name, at } of fields) {
      if (name === '*') {
        isAll = true
        continue
      }
      const attribute = scope.attribute(model, name, use)
      if (!attribute) throw unknownAttribute(at, name, model, use, scope)
      if (!isValue(attribute)) {
        throw problem('query/not-usable', {
          at,
          attribute: name,
          reason: `is a ${attribute.kind}; use populate for it`,
        })
      }
      named.add(name)
    }
  }
  const selected: ValueAttribute[] = []
  for (const attribute of model.attributes.values()) {
    if (!isValue(attribute) || (!isAll && !named.has(attribute.name))) continue
    if (scope.sees(attribute, model, use)) selected.push(attribute)
  }
  return selected
}
