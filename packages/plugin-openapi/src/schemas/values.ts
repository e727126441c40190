import type { AttributeDefinition } from '@octavo/core'
import type { ComponentAttribute, ScalarAttribute, ZoneAttribute } from '@octavo/core/plugin'
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

/** Texts that are read as a number, without the space around them. */
const digitsText = '^\\s*[+-]?\\d{1,40}\\s*$'
const wholeText =
  '^\\s*([+-]?(\\d{1,40}(\\.0*)?|(\\d+\\.?\\d*|\\.\\d+)[eE][+]?\\d{1,3})|0[xX][\\da-fA-F]{1,13}|0[oO][0-7]{1,17}|0[bB][01]{1,53})\\s*$'
const numberText = '^\\s*[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d{1,3})?\\s*$'
/** Every text that is read as a moment, and some more: ISO 8601 has many forms. */
const momentText = '^\\s*[+-]?\\d[\\d.,:TtWwZz +-]*$'

const digits: OfDefinition = () => ({
  answer: { type: 'string', pattern: '^-?\\d+$' },
  input: { type: ['string', 'integer'], pattern: digitsText },
})
const number: OfDefinition = () => ({
  answer: { type: 'number' },
  input: { type: ['number', 'string'], pattern: numberText },
})

/** A moment, whose body may have other forms of ISO 8601, or milliseconds. */
const moment =
  (answer: JsonSchema): OfDefinition =>
  () => ({ answer, input: { type: ['string', 'integer'], pattern: momentText } })

const blocks: JsonSchema = {
  type: 'array',
  description: 'Rich text as a list of blocks.',
  items: {
    type: 'object',
    required: ['type'],
    properties: {
      type: {
        description:
          'Blocks of other types may be stored, as by an import, and remain; new ones are refused.',
        anyOf: [{ enum: ['paragraph', 'quote', 'heading', 'code', 'image', 'list'] }, { type: 'string' }],
      },
      level: { type: 'integer', minimum: 1, maximum: 6 },
      format: { enum: ['ordered', 'unordered'] },
      // Generated clients take an object of which nothing is said as an empty one.
      children: { type: 'array', items: { type: 'object', additionalProperties: true } },
    },
    additionalProperties: true,
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
  date: () => ({
    answer: { type: 'string', format: 'date' },
    input: { type: 'string', pattern: '^\\s*\\d{4}-\\d\\d-\\d\\d([Tt ].+)?\\s*$' },
  }),
  time: () => ({
    answer: { type: 'string', pattern: '^\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,3})?$' },
    input: { type: 'string', pattern: '^\\s*\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?\\s*$' },
  }),
  datetime: moment({ type: 'string', format: 'date-time' }),
  timestamp: moment({ type: 'string', pattern: '^-?\\d+$' }),
  integer: () => ({
    answer: { type: 'integer', format: 'int32' },
    input: { type: ['integer', 'string'], format: 'int32', pattern: wholeText },
  }),
  biginteger: digits,
  float: number,
  decimal: number,
  boolean: () => ({
    answer: { type: 'boolean' },
    input: {
      type: ['boolean', 'string', 'integer'],
      pattern: '^\\s*([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|[01])\\s*$',
      minimum: 0,
      maximum: 1,
    },
  }),
  json: () => same({}),
  array: () => same({ type: 'array' }),
  blocks: () => same(blocks),
}

/** Attribute types whose schema would be wrong with a length or a pattern. */
const textual: ReadonlySet<string> = new Set(['string', 'text', 'richtext', 'uid', 'password', 'email'])
const numeric: ReadonlySet<string> = new Set(['integer', 'float', 'decimal'])

/**
 * The bounds of a definition that values must meet. Drafts need not have the minimum length.
 *
 * @param input The schema of the type, whose pattern holds beside that of the definition.
 */
export function constraintsOf(
  { type, definition }: ScalarAttribute,
  input: JsonSchema,
  mayBeDraft: boolean,
): JsonSchema {
  const { min, max, minLength, maxLength, regex, required } = definition
  if (numeric.has(type.name))
    return {
      ...(typeof min === 'number' && { minimum: min }),
      ...(typeof max === 'number' && { maximum: max }),
    }
  if (!textual.has(type.name)) return {}
  return {
    ...(typeof minLength === 'number' && !mayBeDraft && { minLength }),
    ...(typeof maxLength === 'number' && { maxLength }),
    ...(typeof regex === 'string' &&
      isUnicodePattern(regex) && {
        // Clients send an empty text for an empty field.
        pattern: required === true ? regex : `^$|(?:${regex})`,
        ...(input.pattern !== undefined && { allOf: [{ pattern: input.pattern }] }),
      }),
  }
}

/** The numbers of items of a list. An optional list may be empty as well, whatever its minimum, so that only a required one states it. */
export function lengthsOf(
  { definition: { min, max } }: ComponentAttribute | ZoneAttribute,
  mayBeEmpty: boolean,
): JsonSchema {
  return {
    ...(typeof min === 'number' && !mayBeEmpty && { minItems: min }),
    ...(typeof max === 'number' && { maxItems: max }),
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
