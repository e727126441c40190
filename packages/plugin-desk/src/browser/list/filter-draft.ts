/** Conditions of a list while they are made in the page: rows and groups, from a condition and back without a loss. */

import { type Condition, operatorsFor } from '../../filters/index.ts'
import { inWords } from '../model/model.ts'
import type { Texts } from '../text/index.ts'
import { isDay } from '../values/dates.ts'
import { numberTypes, plainNumber } from '../values/plain-number.ts'
import type { FilterField, FilterPlace, FilterScope, Ground } from './filter-fields.ts'

export type Draft = DraftRow | DraftGroup | DraftKept

/** A field, an operator and values. */
export interface DraftRow {
  readonly kind: 'row'
  readonly key: number
  readonly path: string
  /** Replaced by another operator if the type of the field does not have it. */
  readonly operator: string
  /** Two for a range; the first has a value on each line for a list. */
  readonly written: readonly [string, string]
  readonly isReversed: boolean
}

export interface DraftGroup {
  readonly kind: 'group'
  readonly key: number
  readonly join: 'all' | 'any'
  /** The way to the related entry, or part, that all of it is about; empty for the entry itself. */
  readonly of: string
  readonly isReversed: boolean
  readonly items: readonly Draft[]
}

/** A condition that rows cannot have, such as one with an operator of a plugin: it is shown and stays as it is. */
export interface DraftKept {
  readonly kind: 'kept'
  readonly key: number
  readonly condition: Condition
}

/** The fields and places of what conditions are about. */
export type ScopeFor = (ground: Ground) => FilterScope

let keys = 0
const newKey = (): number => {
  keys += 1
  return keys
}

export const newRow = ({ fields }: FilterScope): DraftRow => ({
  kind: 'row',
  key: newKey(),
  path: fields[0]?.path ?? '',
  operator: '',
  written: ['', ''],
  isReversed: false,
})

const groupOf = (join: DraftGroup['join'], items: readonly Draft[]): DraftGroup => ({
  kind: 'group',
  key: newKey(),
  join,
  of: '',
  isReversed: false,
  items,
})

export const newGroup = (scope: FilterScope): DraftGroup => groupOf('all', [newRow(scope)])

/** A draft without one of its parts, or with another part in its place. @param key The key of the part. */
export function withPart<T extends Draft>(
  draft: T,
  key: number,
  change: (part: Draft) => Draft | undefined,
): T {
  if (draft.kind !== 'group') return draft
  const items = draft.items.flatMap((item) =>
    item.key === key ? (change(item) ?? []) : withPart(item, key, change),
  )
  return { ...draft, items }
}

/** A group with one more part. @param key The key of the group. */
export const withMore = (root: DraftGroup, key: number, part: Draft): DraftGroup =>
  root.key === key
    ? { ...root, items: [...root.items, part] }
    : withPart(root, key, (group) =>
        group.kind === 'group' ? { ...group, items: [...group.items, part] } : group,
      )

export const lists: readonly string[] = ['$in', '$notIn']
export const flags: readonly string[] = ['$null', '$notNull']
/** The operators that compare moments, and not their text. */
export const moments: readonly string[] = ['$eq', '$ne', '$lt', '$lte', '$gt', '$gte', '$between']
const texts: readonly string[] = ['string', 'text', 'richtext', 'email', 'uid']

export type Choices = readonly (readonly [value: string, name: string])[] | undefined

/** The values to choose from, with their names; `undefined` where any text may be written. */
export function choicesOf(field: FilterField | undefined, text: Pick<Texts, 'yes' | 'no'>): Choices {
  if (field?.definition.type === 'boolean')
    return [
      ['true', text.yes],
      ['false', text.no],
    ]
  const values = field?.definition.enum
  return Array.isArray(values) ? values.map((one) => [String(one), inWords(String(one))]) : undefined
}

/** A row as it is shown: with the operator that stands in, and with the first choice where none was made. */
export function shownRow(row: DraftRow, { fields }: FilterScope, text: Pick<Texts, 'yes' | 'no'>) {
  const field = fields.find(({ path }) => path === row.path)
  const operators = field ? operatorsFor(field.definition.type) : []
  const usual = texts.includes(field?.definition.type ?? '') ? '$containsi' : (operators[0] ?? '$eq')
  const operator = operators.includes(row.operator) ? row.operator : usual
  const choices = choicesOf(field, text)
  const isChoice = choices !== undefined && !lists.includes(operator)
  const written = row.written.map((one) =>
    isChoice && !choices.some(([value]) => value === one) ? (choices[0]?.[0] ?? '') : one,
  ) as [string, string]
  return { field, operators, operator, choices, written }
}

/** The values of a condition as they are written: two of a range, one on each line of a list. */
function valuesOf(operator: string, [first, second]: readonly [string, string]): readonly string[] {
  if (flags.includes(operator)) return ['true']
  if (operator === '$between') return [first, second]
  if (lists.includes(operator)) return first.split('\n').filter((line) => line.trim() !== '')
  return [first]
}

/** A number as the server takes it. Other texts stay as they are: they may be those of an address. */
function numberOf(value: string, language: string): string {
  const plain = plainNumber(value, language)
  return Number.isNaN(Number(value)) && !Number.isNaN(Number(plain)) ? plain : value
}

const reversed = (condition: Condition, isReversed: boolean): Condition =>
  isReversed ? { kind: 'not', condition } : condition

/** A condition on what a path leads to; one comparison has one path. */
const within = (of: string, below: Condition): Condition => {
  const path = of.split('.')
  return below.kind === 'comparison' || below.kind === 'of'
    ? { ...below, path: [...path, ...below.path] }
    : { kind: 'of', path, condition: below }
}

/** The condition of a draft; `undefined` for a group without parts. */
export function conditionOf(
  draft: Draft,
  ground: Ground,
  scopeFor: ScopeFor,
  text: Pick<Texts, 'yes' | 'no' | 'language'>,
): Condition | undefined {
  if (draft.kind === 'kept') return draft.condition
  const scope = scopeFor(ground)
  if (draft.kind === 'row') {
    const { field, operator, written } = shownRow(draft, scope, text)
    const path = draft.path.split('.')
    const isNumber = numberTypes.has(field?.definition.type ?? '')
    const values = valuesOf(operator, written).map((value) =>
      isNumber ? numberOf(value, text.language) : value,
    )
    return reversed({ kind: 'comparison', path, operator, values }, draft.isReversed)
  }
  const { join, of, isReversed, items } = draft
  const inner = placeOf(scope, of)?.ground ?? ground
  const conditions = items.flatMap((item) => conditionOf(item, inner, scopeFor, text) ?? [])
  const [only] = conditions
  if (!only) return undefined
  const joined: Condition = conditions.length === 1 ? only : { kind: join, conditions }
  return reversed(of === '' ? joined : within(of, joined), isReversed)
}

export const placeOf = ({ places }: FilterScope, path: string): FilterPlace | undefined =>
  places.find((place) => place.path === path)

/** The draft of a condition, as a group. */
export function draftOf(condition: Condition, ground: Ground, scopeFor: ScopeFor): DraftGroup {
  const draft = partOf(condition, ground, scopeFor)
  if (draft.kind === 'group' && draft.of === '' && !draft.isReversed) return draft
  return groupOf('all', [draft])
}

function partOf(condition: Condition, ground: Ground, scopeFor: ScopeFor): Draft {
  const kept: DraftKept = { kind: 'kept', key: newKey(), condition }
  switch (condition.kind) {
    case 'comparison':
      return rowOf(condition, scopeFor(ground)) ?? kept
    case 'all':
    case 'any':
      return groupOf(
        condition.kind,
        condition.conditions.map((one) => partOf(one, ground, scopeFor)),
      )
    case 'not': {
      const draft = partOf(condition.condition, ground, scopeFor)
      return draft.kind === 'kept' || draft.isReversed ? kept : { ...draft, isReversed: true }
    }
    case 'of': {
      const of = condition.path.join('.')
      const place = placeOf(scopeFor(ground), of)
      if (!place) return kept
      return { ...draftOf(condition.condition, place.ground, scopeFor), of }
    }
  }
}

/** A comparison as a row; `undefined` when a row would write another one. */
function rowOf(
  { path, operator: given, values }: Extract<Condition, { kind: 'comparison' }>,
  { fields }: FilterScope,
): DraftRow | undefined {
  const field = fields.find((one) => one.path === path.join('.'))
  const [first = '', second = ''] = values
  const isFlag = flags.includes(given) && values.length === 1 && ['true', 'false'].includes(first)
  const operator = isFlag && first === 'false' ? (given === '$null' ? '$notNull' : '$null') : given
  if (!field || !operatorsFor(field.definition.type).includes(operator)) return undefined
  const row = { kind: 'row', key: newKey(), path: field.path, operator, isReversed: false } as const
  if (flags.includes(operator)) return isFlag ? { ...row, written: ['', ''] } : undefined
  const written = [lists.includes(operator) ? values.join('\n') : first, second] as const
  const choices = choicesOf(field, { yes: '', no: '' })
  const fits = (value: string): boolean =>
    choices ? choices.some(([one]) => one === value) : field.definition.type !== 'date' || isDay(value)
  const again = valuesOf(operator, written)
  const isSame = again.length === values.length && again.every((value, i) => value === values[i])
  return isSame && values.every(fits) ? { ...row, written } : undefined
}
