import { isSql, type Sql, sql } from '@octavo/database'
import { isObject } from '../../kinds-of-values.ts'
import { InvalidValue, type ScalarType } from '../attribute-type.ts'
import type { AttributeDefinition } from '../definition/definition.ts'
import type { Draft } from '../draft/drafts.ts'
import { show } from '../draft/names.ts'
import type { Attribute, ComputedAttribute, ScalarAttribute } from '../model.ts'
import { didYouMean } from '../nearest.ts'

/** Options of stored attributes. */
const storedOnly = [
  'required',
  'unique',
  'uniqueWithin',
  'default',
  'countedBy',
  'publicFrom',
  'renamedFrom',
] as const

/**
 * The attributes that are computed, in place of the stored ones that their definitions would otherwise be.
 *
 * @param attributes All attributes of the definition. Mistakes are reported.
 */
export function withComputed(
  draft: Draft,
  attributes: ReadonlyMap<string, Attribute>,
): ReadonlyMap<string, Attribute> {
  if (![...draft.attributes.values()].some(({ computed }) => computed !== undefined)) return attributes
  const all = new Map<string, Attribute>()
  for (const [name, attribute] of attributes) {
    const { computed } = attribute.definition
    if (computed === undefined) all.set(name, attribute)
    else if (attribute.kind !== 'scalar')
      draft.report(['attributes', name, 'computed'], `a ${attribute.kind} cannot be computed`)
    else {
      const built = build(draft, attribute, attributes)
      if (built) all.set(name, Object.freeze(built))
    }
  }
  return all
}

function build(
  draft: Draft,
  { name, definition, type, private: isPrivate }: ScalarAttribute,
  attributes: ReadonlyMap<string, Attribute>,
): ComputedAttribute | undefined {
  const path = ['attributes', name]
  const given: unknown = definition.computed
  const plugin = isObject(given) && typeof given.plugin === 'string' ? given.plugin : undefined
  const report: Draft['report'] = (at, message) =>
    draft.report(
      at,
      plugin === undefined ? message : `${message} (added by the plugin "${plugin}" in attribute:computed)`,
    )
  for (const option of storedOnly)
    if (definition[option] !== undefined)
      report([...path, option], 'a computed attribute has no such option, since it is not stored')
  if (!isGiven(given)) {
    report([...path, 'computed'], 'must be an object with from, and either sql or value, a function each')
    return undefined
  }
  const from: ScalarAttribute[] = []
  for (const [source, typeName] of Object.entries(given.from)) {
    const attribute = attributes.get(source)
    const at = [...path, 'computed', 'from', source]
    if (!attribute)
      report(at, `there is no attribute ${show(source)}${didYouMean(source, attributes.keys())}`)
    else if (attribute.kind !== 'scalar' || attribute.definition.computed !== undefined)
      report(
        at,
        `"${source}" is not a stored value; ${attribute.kind === 'scalar' ? 'compute from what it is computed from' : 'relations and components cannot be computed from'}`,
      )
    else if (attribute.type.secret) report(at, `"${source}" is a secret`)
    else if (attribute.definition.type !== typeName)
      report(at, `"${source}" is of the type ${attribute.definition.type}, not ${show(typeName)}`)
    else from.push(attribute)
  }
  const mistake = given.sql && from.length === Object.keys(given.from).length && mistakeIn(given.sql, from)
  if (mistake) report([...path, 'computed', 'sql'], mistake)
  const place = `${draft.uid}.${name}`
  const compute: ComputedAttribute['compute'] = given.value
    ? { kind: 'function', value: functionOf(given.value, type, definition) }
    : { kind: 'sql', sql: given.sql }
  return {
    kind: 'computed',
    name,
    definition,
    private: isPrivate,
    type,
    from: Object.freeze(from),
    compute,
    place,
    plugin,
  }
}

const functionOf =
  (
    value: (values: Readonly<Record<string, unknown>>) => unknown,
    type: ScalarType,
    definition: AttributeDefinition,
  ) =>
  (values: Readonly<Record<string, unknown>>): unknown =>
    checked(value(values), type, definition)

/** A definition that the plain data of a program or a plugin may have; see `Computed`. */
type Given = { readonly from: Readonly<Record<string, unknown>>; readonly plugin?: unknown } & (
  | { readonly sql: (columns: Readonly<Record<string, Sql>>) => Sql; readonly value?: undefined }
  | { readonly value: (values: Readonly<Record<string, unknown>>) => unknown; readonly sql?: undefined }
)

const isGiven = (given: unknown): given is Given =>
  isObject(given) &&
  isObject(given.from) &&
  [given.sql, given.value].filter((compute) => compute !== undefined).length === 1 &&
  typeof (given.sql ?? given.value) === 'function'

/** Calls the function once, with the names of the columns. */
function mistakeIn(
  expression: (columns: Readonly<Record<string, Sql>>) => unknown,
  from: readonly ScalarAttribute[],
): string | undefined {
  try {
    const made = expression(Object.fromEntries(from.map(({ name, column }) => [name, sql.id(column)])))
    return isSql(made) ? undefined : `must return a fragment of the tag sql, not ${show(made)}`
  } catch (error) {
    return `threw an error: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** The value of a function, in JSON. @throws Error for a value that the attribute's type does not have */
function checked(value: unknown, type: ScalarType, definition: AttributeDefinition): unknown {
  if (value === null) return null
  if (value === undefined) throw new Error('the function returned nothing; null stands for a missing value')
  if (value instanceof Promise) {
    value.catch(() => {}) // the error below takes the place of its own
    throw new Error('the function returned a promise, and values are computed without waiting')
  }
  try {
    type.fromJson(value, definition)
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error
    throw new Error(`the function returned ${show(value)}, not ${error.message}`)
  }
  return value
}
