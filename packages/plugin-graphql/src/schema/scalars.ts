/** Checks of the scalars, in variables and in the text of a query. */

import { type GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped } from 'graphql'
import { hasFile, UploadedFile } from '../files.ts'

type Check = (value: unknown) => unknown

/** The library adds the type, the value and its place to errors that are not its own. */
export const refuse = (message: string): never => {
  throw new TypeError(message)
}

const checks: Readonly<Record<string, Check>> = {
  Date: (value) =>
    typeof value === 'string' && isDay(value)
      ? value
      : refuse(`Date cannot represent an invalid date-string ${shown(value)}.`),
  Time: (value) =>
    typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,3})?$/.test(value)
      ? value
      : refuse(`Time cannot represent ${shown(value)}: expected HH:mm:ss.SSS.`),
  DateTime: (value) =>
    typeof value === 'string' && rfc3339.test(value) && isDay(value.slice(0, 10))
      ? new Date(value).toISOString()
      : refuse(`DateTime cannot represent an invalid date-time-string ${shown(value)}.`),
  Long: (value) => {
    if (typeof value === 'number' && Number.isSafeInteger(value)) return value
    // As the reference takes it: a number is written in one way.
    if (typeof value === 'string' && /^(0|-?[1-9]\d{0,399})$/.test(value)) return value
    return refuse(`Long cannot represent non-integer value: ${shown(value)}`)
  },
  JSON: (value) => (hasFile(value) ? refuse('JSON cannot represent a file.') : value),
  Upload: (value) =>
    value instanceof UploadedFile
      ? value
      : refuse('Upload value invalid: send files as multipart/form-data.'),
}

/** Whether a day exists: JavaScript reads February 30 as March 1. */
const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text)

/** A date-time as the reference takes it, with seconds and without an hour 24. */
const rfc3339 = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i

const shown = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))).slice(0, 100)

/** Gives a scalar the check of its name. */
export function checkScalar(scalar: GraphQLScalarType): void {
  const check = checks[scalar.name]
  if (check) setCheck(scalar, check, scalar.name === 'JSON' ? json : written)
}

type Variables = Parameters<typeof valueFromASTUntyped>[1]

/**
 * @param check Throws for an invalid value.
 * @param read Reads a literal.
 */
export function setCheck(scalar: GraphQLScalarType, check: Check, read: Read = written): void {
  scalar.parseValue = check
  scalar.parseLiteral = (node, variables) => check(read(node, variables))
}

/** A value as it is written: a number in JavaScript may have fewer digits, and no fraction of zero. */
function written(node: ValueNode, variables: Variables): unknown {
  switch (node.kind) {
    case Kind.STRING:
    case Kind.INT:
    case Kind.FLOAT:
    case Kind.BOOLEAN:
      return node.value
    default:
      return json(node, variables)
  }
}

type Read = (node: ValueNode, variables: Variables) => unknown

/** The value of a literal of JSON, where a word without quotes is not a text. */
const json: Read = (node, variables) => {
  if (node.kind === Kind.ENUM) return refuse(`A text needs quotes: "${node.value}"`)
  return nested(node, variables, json)
}

/** The value of a literal with values of enumerations. */
export const withWords: Read = (node, variables) => nested(node, variables, withWords)

/** A variable without a value is left out of an object, and is null in a list, as in inputs with types. */
function nested(node: ValueNode, variables: Variables, read: Read): unknown {
  if (node.kind === Kind.LIST) return node.values.map((item) => read(item, variables) ?? null)
  if (node.kind !== Kind.OBJECT) return valueFromASTUntyped(node, variables)
  const values = node.fields.map(({ name, value }) => [name.value, read(value, variables)] as const)
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

/**
 * The check of the input of a zone's item: `{ __typename: "ComponentBlocksQuote", text: "q" }` is an item of the component.
 *
 * Components that the zone does not allow are left to the write, which names the place.
 *
 * @param all Uids of all components by the name of their type.
 * @param allowed The uids that the zone allows.
 */
export const zoneItem =
  (all: ReadonlyMap<string, string>, allowed: readonly string[]): Check =>
  (value) => {
    const { __typename: name, ...rest } = (value ?? {}) as Readonly<Record<string, unknown>>
    const uid = typeof name === 'string' ? all.get(name) : undefined
    if (uid === undefined) return refuse(`Component not found. expected one of: ${allowed.join(', ')}`)
    if (hasFile(rest)) return refuse('An item of a zone cannot have a file; use its id.')
    return { __component: uid, ...rest }
  }
