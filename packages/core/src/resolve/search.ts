import type { Model, ScalarAttribute } from '../content-type/model.ts'
import { searchedAttributes } from '../content-type/searched.ts'
import { literal } from '../operator/table.ts'
import { anyOf } from '../plan/condition.ts'
import type { Condition } from '../plan/plan.ts'
import type { Scope } from './scope.ts'

/**
 * `_q=phrase`: the phrase occurs, without regard to case and literally, in the id or in any text attribute; when it is
 * a number, also in the text of a number attribute. With `options.search` only its attributes and the id are searched. Hidden attributes and those with `searchable: false` are not searched.
 */
export function resolveSearch(phrase: string, model: Model, scope: Scope): Condition {
  const isNumber = phrase.trim() !== '' && Number.isFinite(Number(phrase))
  const declared = searchedAttributes(model)
  const searched: ScalarAttribute[] = [model.id]
  for (const attribute of declared ?? model.attributes.values()) {
    if (attribute.kind !== 'scalar' || attribute.definition.searchable === false) continue
    const { search } = attribute.type
    if (search === 'never' || (search === 'number' && !isNumber)) continue
    if (scope.sees(attribute, model, 'filter')) searched.push(attribute)
  }
  const value = `%${literal(phrase)}%`
  return anyOf(
    searched.map((attribute) => ({
      kind: 'compare',
      attribute,
      operator: '$containsi',
      operands: [{ kind: 'value', value }],
      asText: true,
    })),
  )
}
