/** Equality of JSON values and of parts of forms. */
import type { ComponentValue, Fields, FieldValue, ScalarValue } from './value.ts'
import { identityOf } from './value.ts'

/** Equality of JSON. The order of the members of an object has no meaning. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === 0 && other === 0
  if (Array.isArray(one) !== Array.isArray(other)) return false
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, i) => sameJson(item, other[i]))
  const [a, b] = [one, other] as readonly Readonly<Record<string, unknown>>[]
  if (!a || !b) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  )
}

type CompareScalars = (one: unknown, other: unknown) => boolean

/** Equality of fields; labels of linked entries and keys of components are not compared, ids are. */
export function sameField(one: FieldValue | undefined, other: FieldValue | undefined): boolean {
  if (one === other) return true
  if (!one || !other || one.kind !== other.kind) return false
  switch (one.kind) {
    case 'scalar':
      return other.kind === 'scalar' && sameScalar(one, other)
    case 'relation':
      return other.kind === 'relation' && sameIds(one.items, other.items)
    case 'components':
      return (
        other.kind === 'components' &&
        one.items.length === other.items.length &&
        one.items.every((item, i) => {
          const twin = other.items[i]
          return (
            twin !== undefined &&
            identityOf(item) === identityOf(twin) &&
            sameFields(item.fields, twin.fields)
          )
        })
      )
  }
}

export const sameScalar = (one: Omit<ScalarValue, 'kind'>, other: Omit<ScalarValue, 'kind'>): boolean =>
  one.unfinished === other.unfinished && sameJson(one.value, other.value)

export const sameIds = (
  one: readonly { readonly id: number }[],
  other: readonly { readonly id: number }[],
): boolean => one.length === other.length && one.every(({ id }, i) => id === other[i]?.id)

/** Equality of the fields that both sides have; a field that one side may not read is not compared. */
export const sameFields = (one: Fields, other: Fields): boolean =>
  Object.entries(one).every(([name, field]) => {
    const twin = other[name]
    return twin === undefined || sameField(field, twin)
  })

/** Whether two components have equal content, whatever their ids and keys. Unset values equal null. */
export const sameContent = (
  one: ComponentValue,
  other: ComponentValue,
  compare: CompareScalars = asStored,
): boolean =>
  one.uid === other.uid &&
  Object.entries(one.fields).every(([name, field]) => {
    const twin = other.fields[name]
    if (twin === undefined || field.kind !== twin.kind) return twin === undefined
    if (field.kind === 'scalar' && twin.kind === 'scalar') return compare(field.value, twin.value)
    if (field.kind === 'relation' && twin.kind === 'relation') return sameIds(field.items, twin.items)
    if (field.kind !== 'components' || twin.kind !== 'components') return false
    return (
      field.items.length === twin.items.length &&
      field.items.every((item, i) => {
        const opposite = twin.items[i]
        return opposite !== undefined && sameContent(item, opposite, compare)
      })
    )
  })

/**
 * Equality of a value that was sent with the one that came back: the server stores `"4.20"` as `4.2`, and a time with an offset in UTC.
 * `undefined` on the side of the answer is a secret, which is not compared.
 */
export function asStored(sent: unknown, stored: unknown): boolean {
  if (stored === undefined || sameJson(sent ?? null, stored)) return true
  if (sent === null || stored === null || typeof sent === 'object' || typeof stored === 'object') return false
  const [a, b] = [String(sent).trim(), String(stored)]
  if (a === b || (a !== '' && b !== '' && Number(a) === Number(b))) return true
  return /^\d{4}-\d\d-\d\d/.test(a) && /^\d{4}-\d\d-\d\d/.test(b) && Date.parse(a) === Date.parse(b)
}
