import { isSql, type Sql, withOrigin } from '@octavo/database'
import { InvalidValue } from '../content-type/attribute-type.ts'
import type { Registry } from '../content-type/model.ts'
import { didYouMean, meantUid } from '../content-type/nearest.ts'
import { kindOf } from '../kinds-of-values.ts'
import type { AddedOperator, DeclaredOperators, FilterOperator } from '../operator/added.ts'
import { PluginError } from '../plugin/plugin-error.ts'
import { refuseMisspelt } from './checked-declarations.ts'

const keys = ['on', 'meaning', 'example', 'read', 'sql', 'reads']
const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

/** The operator of a plugin, checked. @throws PluginError for an invalid name or example */
export function addedOperator<T>(plugin: string, name: string, given: FilterOperator<T>): AddedOperator {
  const { on, meaning, example, read, sql, reads } = given
  const mistake = (message: string, cause?: unknown): PluginError =>
    new PluginError(plugin, undefined, `the filter operator "${name}" ${message}`, cause)
  if (!/^\$[a-zA-Z][a-zA-Z0-9]*$/.test(name))
    throw mistake('has no valid name; a name is $ with letters and digits after it')
  refuseMisspelt(given, keys, (text) => mistake(`has ${text}`))
  for (const [key, value] of Object.entries({ meaning, example }))
    if (typeof value !== 'string') throw mistake(`has no text "${key}"`)
  for (const [key, value] of Object.entries({ read, sql }))
    if (typeof value !== 'function') throw mistake(`has no function "${key}"`)
  if (!isTexts(on))
    throw mistake(`has in "on" no list of attribute types, such as ['string'], but ${kindOf(on)}`)
  if (on.length === 0) throw mistake('is for no attribute type; name at least one in "on"')
  if (reads !== undefined && !isTexts(reads))
    throw mistake(`has in "reads" no list of uids, such as ['api::article.article'], but ${kindOf(reads)}`)

  const readOperand = (text: string): T => {
    let operand: T
    try {
      operand = read(text)
    } catch (error) {
      if (error instanceof InvalidValue) throw error
      throw mistake(`cannot read "${text}": ${messageOf(error)}`, error)
    }
    if (operand instanceof Promise) {
      operand.catch(() => {}) // the error below takes the place of its own
      throw mistake('returns a promise from "read", which is synchronous')
    }
    if (operand === undefined)
      throw mistake(
        `returns nothing from "read" for "${text}"; it returns the operand, and throws an InvalidValue for a text that is none`,
      )
    return operand
  }
  const conditionOf = (value: Sql, operand: T): Sql => {
    let condition: unknown // for handlers that no compiler has checked
    try {
      condition = sql(value, operand)
    } catch (error) {
      throw mistake(`makes no condition: ${messageOf(error)}`, error)
    }
    if (!isSql(condition)) throw mistake('returns something else than a fragment of sql`…` from "sql"')
    return withOrigin(condition, `the filter operator ${name} of the plugin "${plugin}"`)
  }
  const operator: AddedOperator = {
    name,
    plugin,
    on,
    meaning,
    example,
    reads,
    read: (text) => {
      const operand = readOperand(text)
      return (value) => conditionOf(value, operand)
    },
  }
  try {
    readOperand(example)
  } catch (error) {
    throw error instanceof InvalidValue ? mistake(`does not read its example: ${error.message}`) : error
  }
  return operator
}

/** @throws PluginError for an operator of an undeclared attribute type */
export function checkOperatorTypes(operators: DeclaredOperators, types: readonly string[]): void {
  for (const { plugin, name, on } of operators.values())
    for (const type of on)
      if (!types.includes(type))
        throw new PluginError(
          plugin,
          undefined,
          `the filter operator "${name}" is for the attribute type "${type}", which does not exist${didYouMean(type, types)}`,
        )
}

/** Sentences about content-types that an operator reads, where another has the name or nearly the uid. */
export function unknownReads(operators: DeclaredOperators, { contentTypes }: Registry): readonly string[] {
  return [...operators.values()].flatMap(({ plugin, name, reads = [] }) =>
    reads.flatMap((uid) => {
      const meant = contentTypes.has(uid) ? undefined : meantUid(uid, contentTypes)
      return meant === undefined
        ? []
        : [
            `Plugin "${plugin}": the filter operator "${name}" reads the content-type "${uid}", which does not exist; did you mean "${meant}"? Its writes leave cached answers as they are.`,
          ]
    }),
  )
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
