import type { AttributeDefinition } from '@octavo/core'
import type { ScalarAttribute } from '@octavo/core/plugin'
import type { JsonSchema } from '@octavo/server'

/** The values of an attribute type in JSON. */
export interface ValueSchemas {
  /** In answers, without null. */
  readonly answer: JsonSchema
  /** In bodies, without null. Texts that can be read as the type are accepted. */
  readonly input: JsonSchema
}

type OfDefinition = (definition: AttributeDefinition) => ValueSchemas

const text: OfDefinition = () => same({ type: 'string' })
const same = (schema: JsonSchema): ValueSchemas => ({ answer: schema, input: schema })

const digits: OfDefinition = () => ({
  answer: { type: 'string', pattern: '^-?\\d+$' },
  input: { type: ['string', 'integer'] },
})
const number: OfDefinition = () => ({ answer: { type: 'number' }, input: { type: ['number', 'string'] } })

/** A date or time, whose body may have other forms of ISO 8601, or milliseconds. */
const temporal =
  (answer: JsonSchema, input: JsonSchema = { type: 'string' }): OfDefinition =>
  () => ({ answer, input })

const blocks: JsonSchema = {
  type: 'array',
  description: 'Rich text as a list of blocks.',
  items: {
    type: 'object',
    required: ['type'],
    properties: {
      type: { enum: ['paragraph', 'quote', 'heading', 'code', 'image', 'list'] },
      level: { type: 'integer', minimum: 1, maximum: 6 },
      format: { enum: ['ordered', 'unordered'] },
      children: { type: 'array', items: { type: 'object' } },
    },
  },
}

/** The attribute types of core, by name. A test compares the names with those of core. */
export const valueTypes: Readonly<Record<string, OfDefinition>> = {
  string: text,
  text,
  richtext: text,
  uid: () => ({ answer: { type: 'string' }, input: { type: 'string', pattern: '^[A-Za-z0-9_.~-]*$' } }),
  password: text,
  email: () => same({ type: 'string', format: 'email' }),
  enumeration: ({ enum: values }) => same({ type: 'string', enum: values }),
  date: temporal({ type: 'string', format: 'date' }),
  // Bodies have the form of answers, since the server reads no other.
  time: () => same({ type: 'string', pattern: '^\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,3})?$' }),
  datetime: temporal({ type: 'string', format: 'date-time' }, { type: ['string', 'integer'] }),
  timestamp: digits,
  integer: () => ({ answer: { type: 'integer' }, input: { type: ['integer', 'string'] } }),
  biginteger: digits,
  float: number,
  decimal: number,
  boolean: () => ({ answer: { type: 'boolean' }, input: { type: ['boolean', 'string', 'integer'] } }),
  json: () => same({}),
  array: () => same({ type: 'array' }),
  blocks: () => same(blocks),
}

/** Attribute types whose schema would be wrong with a length or a pattern. */
const textual: ReadonlySet<string> = new Set(['string', 'text', 'richtext', 'uid', 'password', 'email'])
const numeric: ReadonlySet<string> = new Set(['integer', 'float', 'decimal'])

/** The bounds of a definition that values must meet. Drafts need not have the minimum length. */
export function constraintsOf({ type, definition }: ScalarAttribute, isDraftable: boolean): JsonSchema {
  const { min, max, minLength, maxLength, regex } = definition
  if (numeric.has(type.name))
    return {
      ...(typeof min === 'number' && { minimum: min }),
      ...(typeof max === 'number' && { maximum: max }),
    }
  if (!textual.has(type.name)) return {}
  return {
    ...(typeof minLength === 'number' && !isDraftable && { minLength }),
    ...(typeof maxLength === 'number' && { maxLength }),
    ...(typeof regex === 'string' && isUnicodePattern(regex) && { pattern: regex }),
  }
}

/** JSON Schema reads patterns with the flag `u`, under which some expressions are mistakes. */
function isUnicodePattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp
  } catch {
    return false
  }
}

/** The schema of the values of another one, and null. */
export function nullable(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema
  if (type === undefined && values === undefined)
    return '$ref' in schema || 'anyOf' in schema ? { anyOf: [schema, { type: 'null' }] } : schema
  return {
    ...schema,
    ...(type !== undefined && { type: [type, 'null'].flat() }),
    ...(Array.isArray(values) && { enum: [...values, null] }),
  }
}

/** Typical values of the attribute types. */
const typical: Readonly<Record<string, unknown>> = {
  string: 'A text',
  text: 'A longer text.',
  richtext: 'A text with **bold** words.',
  uid: 'a-name',
  password: 'Secret-123',
  email: 'ada@example.org',
  date: '2026-02-28',
  time: '09:30:00',
  datetime: '2026-02-28T09:30:00.000Z',
  timestamp: '1772271000000',
  integer: 7,
  biginteger: '9007199254740993',
  float: 1.5,
  decimal: 19.99,
  boolean: true,
  json: { any: 'value' },
  array: ['a', 'b'],
  blocks: [{ type: 'paragraph', children: [{ type: 'text', text: 'A paragraph.' }] }],
}

/** The description and an example of an attribute: that of the definition, its default, or a typical value. */
export function annotationsOf({
  type,
  description,
  example,
  default: given,
  enum: values,
}: AttributeDefinition): JsonSchema {
  const standard = typeof given === 'function' ? undefined : (given ?? undefined)
  const [value] = [example, standard, [values].flat()[0], typical[type]].filter((item) => item !== undefined)
  return {
    ...(typeof description === 'string' && { description }),
    ...(value !== undefined && { examples: [value] }),
  }
}

/** The default of a definition, unless it is computed. */
export const defaultOf = ({ default: given }: AttributeDefinition): JsonSchema =>
  given === undefined || given === null || typeof given === 'function' ? {} : { default: given }
