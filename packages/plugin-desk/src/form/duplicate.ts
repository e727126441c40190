/** A copy of an entry as the value of a new one. */
import { childKey } from './merge.ts'
import { type AttributeDefinition, type Field, type FormModel, fieldsOf, schemaOf } from './model.ts'
import { randomKey } from './random.ts'
import { type ComponentValue, emptyGroup, type Fields, type FieldValue, type GroupValue } from './value.ts'

interface Duplicate {
  /** Without ids: parts are copies. */
  readonly value: GroupValue
  /** The keys of the fields of the original whose values the copy lacks. */
  readonly left: readonly string[]
}

/**
 * Copies an entry. Left out is what only one entry may have: unique values, addresses, secrets, and the entries of relations that have
 * one owner, which would be taken from the original.
 *
 * @param mayWrite Whether a new entry may be given a value at a path such as `seo.metaTitle`, which may be a zone.
 */
export function duplicateOf(
  model: FormModel,
  entry: GroupValue,
  mayWrite: (path: string, isZone: boolean) => boolean,
): Duplicate {
  const left: string[] = []
  const copyFields = (group: GroupValue, at: string, path: string): Fields => {
    const empty = emptyGroup(model, group.uid).fields
    const fields: Record<string, FieldValue> = {}
    for (const field of fieldsOf(schemaOf(model, group.uid))) {
      const { name } = field
      const [value, none] = [group.fields[name], empty[name]]
      if (value === undefined || none === undefined) continue
      const [key, way] = [childKey(at, name), path === '' ? name : `${path}.${name}`]
      const isLeft = isOfOne(field) || !mayWrite(way, field.shape.kind === 'components' && field.shape.zone)
      if (isLeft && !isEmpty(value)) left.push(key)
      if (isLeft) fields[name] = none
      else if (value.kind !== 'components') fields[name] = value
      else {
        const items = value.items.map(
          (item): ComponentValue => ({
            ...{ uid: item.uid, id: undefined, key: randomKey() },
            fields: copyFields(item, childKey(key, item.key), way),
          }),
        )
        fields[name] = { kind: 'components', items }
      }
    }
    return fields
  }
  return { value: { uid: entry.uid, id: undefined, fields: copyFields(entry, '', '') }, left }
}

/** A password that is stored is not known. */
const isEmpty = (value: FieldValue): boolean =>
  value.kind === 'scalar' ? value.value === null : value.items.length === 0

/** Whether only one entry may have a value. */
const isOfOne = ({ definition, shape }: Field): boolean =>
  shape.kind === 'relation'
    ? isOfOneOwner(definition)
    : ['uid', 'password'].includes(definition.type) || definition.unique === true

/** Whether an entry has one owner in a relation: that of one to others whose other side is declared as well. */
const isOfOneOwner = ({ relation, inversedBy, mappedBy }: AttributeDefinition): boolean =>
  (relation === 'oneToOne' || relation === 'oneToMany') &&
  (typeof inversedBy === 'string' || typeof mappedBy === 'string')
