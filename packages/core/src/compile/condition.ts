import { type Aliases, column, join, param, type Sql, sql, where } from '@octavo/database'
import { matchedWords, phraseQuery } from '../content-type/full-text.ts'
import type { Model, ValueAttribute } from '../content-type/model.ts'
import { searchedAttributes } from '../content-type/searched.ts'
import { type Operator, type OperatorName, operators } from '../operator/table.ts'
import { assertNever } from '../plan/condition.ts'
import type { Condition, Operand } from '../plan/plan.ts'
import { reach } from './from.ts'
import { valueSql } from './value.ts'

type Compare = Extract<Condition, { kind: 'compare' }>
type Matches = Extract<Condition, { kind: 'matches' }>
type Related = Extract<Condition, { kind: 'related' }>

/** Compiles a condition on the row of `model` with this alias. */
export function compileCondition(condition: Condition, model: Model, alias: string, aliases: Aliases): Sql {
  switch (condition.kind) {
    case 'constant':
      return condition.value ? sql`true` : sql`false`
    case 'and':
    case 'or': {
      const children = condition.children.map((child) => compileCondition(child, model, alias, aliases))
      return sql`(${join(children, ` ${condition.kind} `)})`
    }
    case 'not':
      return sql`not (${compileCondition(condition.child, model, alias, aliases)})`
    case 'compare':
      return withIndex(condition, model, valueSql(condition.attribute, alias))
    case 'matches':
      return compileMatches(condition, alias)
    case 'added':
      return sql`(${condition.sql(valueSql(condition.attribute, alias))})`
    case 'related':
      return compileRelated(condition, model, alias, aliases)
    default:
      return assertNever(condition)
  }
}

function compileMatches({ search, attributes, phrase }: Matches, alias: string): Sql {
  const words = matchedWords(search, attributes, (name) => column(alias, name))
  return sql`(${words} @@ ${phraseQuery(search, param(phrase, 'text'))})`
}

function compileRelated(condition: Related, model: Model, alias: string, aliases: Aliases): Sql {
  const key = foreignKey(condition)
  if (key) return compileCompare(key.compare, column(alias, key.column))
  const some = (child: Condition | undefined): Sql => {
    const target = aliases.next()
    const reached = reach(condition.attribute, model, alias, condition.target, target, aliases)
    const conditions = [condition.scope, child].map(
      (c) => c && compileCondition(c, condition.target, target, aliases),
    )
    return sql`exists (select 1 from ${reached.from}${where([reached.on, ...conditions])})`
  }
  const matching = some(condition.child)
  return condition.orNone ? sql`(${matching} or not ${some(undefined)})` : matching
}

/** A comparison of only the related id needs no join when the foreign key is in the row itself. */
function foreignKey({
  attribute,
  target,
  scope,
  child,
}: Related): { column: string; compare: Compare } | undefined {
  if (attribute.kind !== 'relation' || attribute.storage.kind !== 'own' || scope) return undefined
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
  const type = parameterType(attribute, asText, operand === 'list')
  const [first = sql`null`, second = sql`null`] = operands.map((o) => compileOperand(o, type))
  return toSql(asText ? attribute.type.toText(value) : value, first, second)
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
    case 'inserted':
      // A subquery, which is run once: `currval` itself is volatile, and no index serves a comparison with it.
      return sql`(select currval(pg_get_serial_sequence(${sql.lit(`"${operand.table}"`)}, 'id')))`
    default:
      return assertNever(operand)
  }
}
