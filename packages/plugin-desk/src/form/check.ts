/**
 * The checks that need no server: required values, lengths, ranges and forms of values, with the sentences of the server. Everything else,
 * such as unique values, only a save finds.
 */

import { childKey } from './merge.ts'
import type { AttributeDefinition, Field, FormModel } from './model.ts'
import { fieldsOf, schemaOf } from './model.ts'
import { sameJson } from './same.ts'
import { type FieldValue, type GroupValue, identityOf } from './value.ts'

/** A mistake in a field. */
export interface FieldError {
  /** The key of the node. */
  readonly key: string
  /** The mistake as a sentence without its place: `must be at least 2 characters`. */
  readonly message: string
}

export interface CheckOptions {
  /** Whether the entry is saved as a draft, which may lack required values and be shorter than minimum lengths. Default false. */
  readonly draft?: boolean
  /** The entry as it is stored. A value that is stored is not sent, so it is only checked for what a draft may lack. Default none. */
  readonly stored?: GroupValue
  /** The mistake in a field whose text is not a valid value. Default `is not complete yet.` */
  readonly unfinished?: string
}

interface Checked {
  readonly model: FormModel
  readonly draft: boolean
  readonly unfinished: string
  readonly errors: FieldError[]
}

/** Every mistake, in the order of the form. */
export function check(
  model: FormModel,
  group: GroupValue,
  { draft = false, stored, unfinished = 'is not complete yet.' }: CheckOptions = {},
): readonly FieldError[] {
  const errors: FieldError[] = []
  checkGroup({ model, draft, unfinished, errors }, group, stored, '')
  return errors
}

function checkGroup(checked: Checked, group: GroupValue, stored: GroupValue | undefined, at: string): void {
  const { model, draft, unfinished, errors } = checked
  for (const field of fieldsOf(schemaOf(model, group.uid))) {
    const value = group.fields[field.name]
    if (value === undefined) continue
    const key = childKey(at, field.name)
    const before = stored?.fields[field.name]
    const isStored = group.id !== undefined
    const isMade = !isStored && isMadeOf(field, group)
    for (const message of mistakesIn(field, value, before, { draft, unfinished, isStored, isMade }))
      errors.push({ key, message })
    if (value.kind !== 'components') continue
    const twins = new Map(
      (before?.kind === 'components' ? before.items : []).map((item) => [identityOf(item), item]),
    )
    for (const item of value.items)
      checkGroup(checked, item, twins.get(identityOf(item)), childKey(key, item.key))
  }
}

/** Whether the server makes an address, of another value of a new entry. */
function isMadeOf({ definition }: Field, { fields }: GroupValue): boolean {
  const source = fields[String(definition.targetField)]
  return definition.generate === true && source?.kind === 'scalar' && (source.value ?? '') !== ''
}

interface State {
  readonly draft: boolean
  readonly unfinished: string
  readonly isStored: boolean
  readonly isMade: boolean
}

function mistakesIn(
  { definition }: Field,
  value: FieldValue,
  before: FieldValue | undefined,
  { draft, unfinished, isStored, isMade }: State,
): readonly string[] {
  const required = definition.required === true && !draft && !isMade
  switch (value.kind) {
    case 'scalar': {
      if (value.unfinished !== undefined) return [unfinished]
      if (value.value === undefined) return required && !isStored ? ['must be defined.'] : []
      if (value.value === null) return required ? [isStored ? 'may not be null.' : 'must be defined.'] : []
      const { type, minLength } = definition
      // An option that the definition has no more, for example, stays until somebody chooses another one.
      const isSame = before?.kind === 'scalar' && sameJson(before.value, value.value)
      const checked = isSame ? { type, minLength } : definition
      return scalarMistakes(draft ? { ...checked, minLength: undefined } : checked, value.value)
    }
    case 'relation':
      return required && value.items.length === 0 ? ['needs at least one entry.'] : []
    case 'components':
      return listMistakes(definition, value.items.length, required, draft)
  }
}

function listMistakes(
  { min, max, repeatable, type }: AttributeDefinition,
  count: number,
  required: boolean,
  draft: boolean,
): readonly string[] {
  if (type === 'component' && repeatable !== true) return required && count === 0 ? ['may not be null.'] : []
  const isLeftEmpty = count === 0 && !required
  return [
    ...(typeof min === 'number' && count < min && !draft && !isLeftEmpty
      ? [`must have at least ${min} items.`]
      : []),
    ...(typeof max === 'number' && count > max ? [`must have at most ${max} items.`] : []),
  ]
}

/** The mistakes in a value that is not null. */
export function scalarMistakes(definition: AttributeDefinition, value: unknown): readonly string[] {
  const { type } = definition
  const form = forms[type]?.(value)
  if (form !== undefined) return [`must be ${form}`]
  return [...(bounds[type]?.(value, definition) ?? [])]
}

const isText = (value: unknown): string | undefined => (typeof value === 'string' ? undefined : 'text')

const digits = /^[+-]?\d{1,40}$/

function wholeNumber(low: bigint, high: bigint): (value: unknown) => string | undefined {
  return (value) => {
    const isWhole =
      typeof value === 'number'
        ? Number.isSafeInteger(value)
        : typeof value === 'string' && digits.test(value.trim())
    if (!isWhole) return 'a whole number'
    const read = BigInt(typeof value === 'number' ? value : String(value).trim().replace(/^\+/, ''))
    return read < low || read > high ? `a whole number between ${low} and ${high}` : undefined
  }
}

const decimalText = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

const isNumber = (value: unknown): string | undefined => {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && decimalText.test(value.trim())
        ? Number(value)
        : NaN
  return Number.isFinite(number) ? undefined : 'a number'
}

/** The mistake in a value by its type, in the words of the server; types without an entry are left to the server. */
const forms: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  string: isText,
  text: isText,
  richtext: isText,
  email: isText,
  enumeration: isText,
  password: isText,
  uid: isText,
  integer: wholeNumber(-2_147_483_648n, 2_147_483_647n),
  biginteger: wholeNumber(-9_223_372_036_854_775_808n, 9_223_372_036_854_775_807n),
  float: isNumber,
}

type Bounds = (value: unknown, definition: AttributeDefinition) => readonly string[]

const ofText: Bounds = (value, { minLength, maxLength, regex, required }) => {
  if (typeof value !== 'string') return []
  const short =
    typeof minLength === 'number' && value.length < minLength
      ? [`must be at least ${minLength} characters`]
      : []
  // As on the server, `regex` is not run over a text that is too long.
  if (typeof maxLength === 'number' && value.length > maxLength)
    return [...short, `must be at most ${maxLength} characters`]
  return [
    ...short,
    ...(typeof regex === 'string' && (value !== '' || required === true) && !matches(regex, value)
      ? [`must match /${regex}/`]
      : []),
  ]
}

function matches(regex: string, value: string): boolean {
  try {
    return new RegExp(regex).test(value)
  } catch {
    // The server has read it; a browser that cannot leaves it to the server.
    return true
  }
}

const ofNumber: Bounds = (value, { min, max }) => [
  ...(isBound(min) && compare(value, min) < 0 ? [`must be greater than or equal to ${min}`] : []),
  ...(isBound(max) && compare(value, max) > 0 ? [`must be less than or equal to ${max}`] : []),
]

const isBound = (bound: unknown): bound is number | string =>
  typeof bound === 'number' || typeof bound === 'string'

function compare(a: unknown, b: number | string): number {
  const [x, y] = [exact(a), exact(b)]
  return x < y ? -1 : x > y ? 1 : 0
}

/** Numbers and bigints compare with each other by value. */
const exact = (value: unknown): number | bigint =>
  typeof value === 'string' && /^-?\d+$/.test(value.trim()) ? BigInt(value.trim()) : Number(value)

/** Characters that need no encoding in URLs. */
const urlCharacters = /^[A-Za-z0-9\-_.~]*$/

const bounds: Readonly<Record<string, Bounds>> = {
  string: ofText,
  text: ofText,
  richtext: ofText,
  email: ofText,
  password: (value, definition) => [
    ...ofText(value, definition),
    ...(typeof value === 'string' && new TextEncoder().encode(value).length > 72
      ? ['must be at most 72 bytes']
      : []),
  ],
  uid: (value, definition) => [
    ...ofText(value, definition),
    ...(typeof value === 'string' && !urlCharacters.test(value)
      ? ['may only have the characters A-Z a-z 0-9 - _ . ~']
      : []),
  ],
  enumeration: (value, { enum: values }) =>
    !Array.isArray(values) || values.includes(value)
      ? []
      : [`must be one of the following values: ${values.join(', ')}`],
  integer: ofNumber,
  biginteger: ofNumber,
  float: ofNumber,
  decimal: ofNumber,
}
