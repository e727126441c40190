/** The fields and conditions that a filter of a list can have. */
import { lookOf, mainFieldOf } from '../layout.ts'
import { type AttributeDefinition, type ContentType, type Model, targetOf } from '../model.ts'

export interface FilterField {
  /** `title`, or through a relation `author.name`. */
  readonly path: string
  readonly label: string
  readonly definition: AttributeDefinition
}

const texts = ['string', 'text', 'richtext', 'email', 'uid']
const numbers = ['integer', 'biginteger', 'float', 'decimal', 'date', 'datetime', 'time']

const operatorsByType = (type: string): readonly string[] =>
  texts.includes(type)
    ? ['$containsi', '$eq', '$ne', '$startsWith', '$endsWith', '$notContainsi', '$null', '$notNull']
    : numbers.includes(type)
      ? ['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$null', '$notNull']
      : type === 'boolean'
        ? ['$eq', '$null', '$notNull']
        : ['$eq', '$ne', '$null', '$notNull']

export const operatorsFor = ({ definition }: FilterField): readonly string[] =>
  operatorsByType(definition.type)

const isComparable = ({ type }: AttributeDefinition): boolean =>
  texts.includes(type) || numbers.includes(type) || type === 'boolean' || type === 'enumeration'

/** The values of the entry, and those of the entries that its relations lead to. */
export function filterFields(type: ContentType, model: Model): readonly FilterField[] {
  const fieldsOf = (
    of: ContentType,
    prefix: readonly string[],
    before: readonly string[] = [],
  ): readonly FilterField[] =>
    Object.entries(of.attributes)
      .filter(
        ([name, definition]) => isComparable(definition) && name !== 'locale' && !name.endsWith('ByCaller'),
      )
      .map(([name, definition]) => ({
        path: [...prefix, name].join('.'),
        label: [...before, lookOf(model, of.uid, name).label].join(' / '),
        definition,
      }))
  const related = Object.entries(type.attributes).flatMap(([name, definition]): readonly FilterField[] => {
    const target = model.types.find(({ uid }) => uid === targetOf(definition) && uid.startsWith('api::'))
    if (!target || name === 'localizations') return []
    const main = mainFieldOf(target)
    return fieldsOf(target, [name], [lookOf(model, type.uid, name).label]).toSorted(
      (one, other) => Number(other.path === `${name}.${main}`) - Number(one.path === `${name}.${main}`),
    )
  })
  return [...fieldsOf(type, []), ...related]
}
