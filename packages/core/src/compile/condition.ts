import { type Aliases, column, join, param, type Sql, sql, where } from '@octavo/database'
import type { Model, ValueAttribute } from '../content-type/model.ts'
import { matchedWords, phraseQuery } from '../content-type/search/full-text.ts'
import { searchedAttributes } from '../content-type/search/searched.ts'
import { longSearch } from '../operator/long-texts.ts'
import { type Operator, type OperatorName, operators } from '../operator/table.ts'
import { assertNever } from '../plan/condition.ts'
import type { Condition, Operand } from '../plan/plan.ts'
import { each } from '../plan/walk.ts'
import { isMany, tablesOf } from '../resolve/lists.ts'
import { relatedRows } from './from.ts'
import { valueSql } from './value.ts'
import { writtenId } from './written-ids.ts'

type Compare = Extract<Condition, { kind: 'compare' }>
type Matches = Extract<Condition, { kind: 'matches' }>
type Related = Extract<Condition, { kind: 'related' }>

/** Compiles a condition on a row of `model` with this alias. Its related entries are read for each row. */
export const compileCondition = (condition: Condition, model: Model, alias: string, aliases: Aliases): Sql =>
  new ConditionCompiler(aliases, 0).compile(condition, model, alias)

/**
 * Compiles the condition of a list that reads a table as a whole. PostgreSQL may join a few related tables with it, in place of looking
 * for related entries of each row: such a join begins with the rarest value and reads few rows.
 */
export const compileListCondition = (
  condition: Condition,
  model: Model,
  alias: string,
  aliases: Aliases,
): Sql => new ConditionCompiler(aliases, joinedTables).compile(condition, model, alias)

/**
 * Related tables that are joined with the table of a condition: the time to plan a join grows with the fourth power of the number of
 * tables. Further related tables are read for each row, which is planned in no time.
 */
const joinedTables = 8

/** Related tables that are joined in a whole statement, which may have the condition of its list several times. */
const joinedInStatement = 24

class ConditionCompiler {
  readonly #aliases: Aliases
  /** Related tables that may still be joined. */
  #left: number

  constructor(aliases: Aliases, joined: number) {
    this.#aliases = aliases
    this.#left = Math.min(joined, joinedInStatement - aliases.joined)
  }

  /** @param way How the related entries that the condition belongs to are read; `undefined` at the root. */
  compile(condition: Condition, model: Model, alias: string, way?: 'joined' | 'for each row'): Sql {
    switch (condition.kind) {
      case 'constant':
        return condition.value ? sql`true` : sql`false`
      case 'and':
      case 'or': {
        const children = condition.children.map((child) => this.compile(child, model, alias, way))
        return sql`(${join(children, ` ${condition.kind} `)})`
      }
      case 'not':
        return sql`not (${this.compile(condition.child, model, alias, way)})`
      case 'compare':
        return withIndex(condition, model, valueSql(condition.attribute, alias))
      case 'matches':
        return compileMatches(condition, alias)
      case 'added':
        return sql`(${condition.sql(valueSql(condition.attribute, alias))})`
      case 'related':
        return this.#related(condition, model, alias, way ?? this.#wayOf(condition, model))
      default:
        return assertNever(condition)
    }
  }

  #wayOf(condition: Related, model: Model): 'joined' | 'for each row' {
    const { tables, many } = reachedBy(condition, model)
    // Joins do not check the time; through one list they read each table once.
    const mayJoin = !this.#aliases.bounds?.checksTime || many <= 1
    if (!mayJoin || tables > this.#left) return 'for each row'
    this.#left -= tables
    this.#aliases.joined += tables
    return 'joined'
  }

  #related(condition: Related, model: Model, alias: string, way: 'joined' | 'for each row'): Sql {
    const key = foreignKey(condition)
    if (key) return compileCompare(key.compare, column(alias, key.column))
    const { attribute, target: related, within, child, orNone } = condition
    const some = (inner: Condition | undefined): Sql => {
      const target = this.#aliases.next()
      const rows = relatedRows(attribute, model, alias, related, target, this.#aliases)
      const conditions = [within, inner].map((c) => c && this.compile(c, related, target, way))
      const exists = sql`select 1 from ${rows.from}${where([
        rows.on,
        ...(way === 'joined' ? [] : rows.inTime),
        ...conditions,
      ])}`
      // PostgreSQL does not join a subquery that has an offset, nor plan it in two ways.
      return way === 'joined' ? sql`exists (${exists})` : sql`exists (${exists} offset 0)`
    }
    const matching = some(child)
    return orNone ? sql`(${matching} or not ${some(undefined)})` : matching
  }
}

/** The related tables of a condition, and its steps to many entries. */
function reachedBy(condition: Related, model: Model): { readonly tables: number; readonly many: number } {
  let [tables, many] = [0, 0]
  each(condition, model, (one) => {
    if (one.kind !== 'related' || foreignKey(one)) return
    tables += tablesOf(one.attribute) * (one.orNone ? 2 : 1)
    if (isMany(one.attribute)) many += 1
  })
  return { tables, many }
}

function compileMatches({ search, attributes, phrase }: Matches, alias: string): Sql {
  const words = matchedWords(search, attributes, (name) => column(alias, name))
  return sql`(${words} @@ ${phraseQuery(search, param(phrase, 'text'))})`
}

/** A comparison of only the related id needs no join when the foreign key is in the row itself. */
function foreignKey({
  attribute,
  target,
  within,
  child,
}: Related): { column: string; compare: Compare } | undefined {
  if (attribute.kind !== 'relation' || attribute.storage.kind !== 'own' || within) return undefined
  if (child.kind !== 'compare' || child.attribute !== target.id || child.asText) return undefined
  return { column: attribute.storage.column, compare: child }
}

/** Operators that respect case, with those that do not. The trigram index has texts in lower case. */
const ignoringCase: Partial<Record<OperatorName, OperatorName>> = {
  $contains: '$containsi',
  $startsWith: '$startsWithi',
  $endsWith: '$endsWithi',
}

/** The comparison; on a searched attribute with the implied one that its index serves. */
function withIndex(condition: Compare, model: Model, value: Sql): Sql {
  const compared = compileCompare(condition, value)
  const operator = ignoringCase[condition.operator]
  if (!operator || !searchedAttributes(model)?.some((searched) => searched === condition.attribute))
    return compared
  return sql`(${compileCompare({ ...condition, operator }, value)} and ${compared})`
}

function compileCompare({ attribute, operator, operands, asText }: Compare, value: Sql): Sql {
  const { sql: toSql, operand }: Operator = operators[operator]
  const compared = asText ? attribute.type.toText(value) : value
  const [only] = operands
  const long = only?.kind === 'value' ? longSearch(operator, only.value) : undefined
  if (long) return long.sql(compared, param(long.text, 'text'))
  const type = parameterType(attribute, asText, operand === 'list')
  const [first = sql`null`, second = sql`null`] = operands.map((o) => compileOperand(o, type))
  return toSql(compared, first, second)
}

const parameterType = (attribute: ValueAttribute, asText: boolean, list: boolean): string =>
  `${asText ? 'text' : attribute.type.parameter}${list ? '[]' : ''}`

function compileOperand(operand: Operand, type: string): Sql {
  switch (operand.kind) {
    case 'value':
      return sql`${sql.val(operand.value)}::${sql.raw(type)}`
    case 'runtime':
      return sql`${sql.val(operand.value)}::${sql.raw(type)}`
    case 'now':
      return sql`now()`
    case 'written':
      return writtenId
    default:
      return assertNever(operand)
  }
}
