/** Checks of the scalars, in variables and in the text of a query. */

import { type GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped } from 'graphql'
import { hasFile, UploadedFile } from '../files.ts'

type Check = (value: unknown) => unknown

/** The library adds the type, the value and its place to errors that are not its own. */
export const refuse = (message: string): never => {
  throw new TypeError(message)
}

const checks: Readonly<Record<string, Check>> = {
  Date: (value) => {
    const isDate =
      typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
    return isDate && new Date(value).toISOString().startsWith(value)
      ? value
      : refuse(`Date cannot represent an invalid date-string ${shown(value)}.`)
  },
  Time: (value) =>
    typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,3})?$/.test(value)
      ? value
      : refuse(`Time cannot represent ${shown(value)}: expected HH:mm:ss.SSS.`),
  DateTime: (value) =>
    typeof value === 'string' && rfc3339.test(value) && !Number.isNaN(Date.parse(value))
      ? new Date(value).toISOString()
      : refuse(`DateTime cannot represent an invalid date-time-string ${shown(value)}.`),
  Long: (value) => {
    if (typeof value === 'number' && Number.isSafeInteger(value)) return value
    if (typeof value === 'string' && /^[+-]?\d{1,400}$/.test(value)) return value
    return refuse(`Long cannot represent non-integer value: ${shown(value)}`)
  },
  Upload: (value) =>
    value instanceof UploadedFile
      ? value
      : refuse('Upload value invalid: send files as multipart/form-data.'),
}

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)$/

const shown = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))).slice(0, 100)

/** Gives a scalar the check of its name. */
export function checkScalar(scalar: GraphQLScalarType): void {
  const check = checks[scalar.name]
  if (check) setCheck(scalar, check)
  // A literal has no file.
  else if (scalar.name === 'JSON')
    scalar.parseValue = (value) => (hasFile(value) ? refuse('JSON cannot represent a file.') : value)
}

/** @param check Throws for an invalid value. */
export function setCheck(scalar: GraphQLScalarType, check: Check): void {
  scalar.parseValue = check
  scalar.parseLiteral = (node, variables) => {
    const isText = node.kind === Kind.STRING || node.kind === Kind.INT || node.kind === Kind.BOOLEAN
    return check(isText ? node.value : untyped(node, variables))
  }
}

const untyped = (node: ValueNode, variables: Parameters<typeof valueFromASTUntyped>[1]): unknown =>
  valueFromASTUntyped(node, variables)

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
