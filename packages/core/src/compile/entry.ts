import { type Aliases, column, join, type Sql, sql, table, where } from '@octavo/database'
import type { ScalarType } from '../content-type/attribute-type.ts'
import {
  type ComponentAttribute,
  type Model,
  ownerColumns,
  type RelationAttribute,
  type ValueAttribute,
} from '../content-type/model.ts'
import { assertNever } from '../plan/condition.ts'
import type { AnswerLayout, LayoutValue, RowLayout } from '../plan/layout.ts'
import { nameOf, type PlanChild, type PlanMeta, type PlanNode } from '../plan/plan.ts'
import { isMany } from '../resolve/lists.ts'
import { compileCondition } from './condition.ts'
import { ownedBy, relatedRows, usersOf } from './from.ts'
import { inTime, listOf } from './guards.ts'
import { type JsonMember, type JsonText, joinedJson, jsonList, jsonObject, jsonOrNull } from './json-text.ts'
import { compileOrder } from './order.ts'
import { limit } from './pages.ts'
import { asNumber, valueSql } from './value.ts'

/** The JSON text of an entry of the list that a query asks for: `id` and `attributes`, or the members of the layout. */
export const entryJson = (
  node: PlanNode,
  alias: string,
  aliases: Aliases,
  layout: AnswerLayout | undefined,
): Sql => rowJson(node, alias, aliases, 0, layout?.row)

/**
 * The JSON text of a returned row: `id` and `attributes` for an entry, `id` and the fields for a component or a flat entry.
 * @param lists The number of populated lists that the row is in.
 */
function rowJson(
  node: PlanNode,
  alias: string,
  aliases: Aliases,
  lists: number,
  layout?: RowLayout,
  before: readonly JsonMember[] = [],
): Sql {
  return joinedJson(
    layout
      ? layoutText(layout, { node, alias, aliases, lists })
      : rowText(node, alias, aliases, before, lists),
  )
}

/** A row whose JSON a layout describes. */
interface Row {
  readonly node: PlanNode
  readonly alias: string
  readonly aliases: Aliases
  readonly lists: number
}

const layoutText = (members: RowLayout, row: Row): JsonText =>
  jsonObject(members.map(({ name, value }) => ({ name, value: layoutValue(value, row) })))

function layoutValue(value: LayoutValue, row: Row): JsonText {
  const { node, alias, aliases, lists } = row
  switch (value.kind) {
    case 'text':
      return [value.json]
    case 'id':
      return ['"', sql`${column(alias, node.model.id.column)}::text`, '"']
    case 'object':
      return layoutText(value.members, row)
    case 'attribute': {
      const attribute = node.select.find(({ name }) => name === value.name)
      return attribute ? valueJson(attribute, alias, value.empty, value.whole) : [value.empty]
    }
    case 'row':
    case 'list': {
      const child = node.children.find((one) => nameOf(one) === value.child)
      if (child?.kind !== 'relation' && child?.kind !== 'component') return [value.empty]
      const rows = rowsOf(child, node.model, alias, aliases, lists, value.row)
      return value.kind === 'row'
        ? jsonOrNull(sql`(${rows})`, value.empty)
        : jsonList(itemsOf(rows, aliases, lists), '[]')
    }
    case 'zone': {
      const child = node.children.find((one) => nameOf(one) === value.child)
      if (child?.kind !== 'zone') return [value.empty]
      return compileZone(child, node.model, alias, aliases, lists, value.rows)
    }
    default:
      return assertNever(value)
  }
}

function rowText(
  node: PlanNode,
  alias: string,
  aliases: Aliases,
  before: readonly JsonMember[],
  lists: number,
): JsonText {
  const { model, meta } = node
  const fields = [
    ...node.select.map((attribute) => ({ name: attribute.name, value: valueJson(attribute, alias) })),
    ...node.children.map((child) => ({
      name: nameOf(child),
      value: compileChild(child, model, alias, aliases, lists),
    })),
  ]
  const id = { name: 'id', value: [sql`${column(alias, model.id.column)}::text`] }
  if (model.kind === 'component' || node.flat) return jsonObject([...before, id, ...fields])
  const attributes = { name: 'attributes', value: jsonObject(fields) }
  if (!meta) return jsonObject([id, attributes])
  const terms = meta.map((term) => ({ name: term.name, value: compileMeta(term, model, alias, aliases) }))
  return jsonObject([id, attributes, { name: 'meta', value: jsonObject(terms) }])
}

/** A value as JSON text. For a function it is an object of the values that it is computed from, until `execute` replaces it. */
function valueJson(attribute: ValueAttribute, alias: string, empty?: string, whole = false): JsonText {
  if (attribute.kind === 'scalar' || attribute.compute.kind === 'sql')
    return typeJson(whole ? asNumber(attribute.type) : attribute.type, valueSql(attribute, alias), empty)
  return jsonObject(
    attribute.from.map(({ name, type, column: own }) => ({
      name,
      value: typeJson(type, column(alias, own)),
    })),
  )
}

const typeJson = ({ toJson, toJsonText }: ScalarType, value: Sql, empty?: string): JsonText =>
  jsonOrNull(toJsonText?.(value) ?? sql`to_json(${toJson(value)})::text`, empty)

/** The distinct values of an attribute over a relation, sorted. */
function compileMeta(
  { relation, attribute, within }: PlanMeta,
  owner: Model,
  parent: string,
  aliases: Aliases,
): JsonText {
  const alias = aliases.next()
  // `meta` only uses relations to the same type: siblings.
  const related = relatedRows(relation, owner, parent, owner, alias, aliases)
  const value = column(alias, attribute.column)
  const seen = within && compileCondition(within, owner, alias, aliases)
  return [
    sql`coalesce((select array_to_json(array_agg(distinct ${value} order by ${value})) from ${related.from}${where([related.on, sql`${value} is not null`, seen])}), '[]'::json)::text`,
  ]
}

function compileChild(
  child: PlanChild,
  owner: Model,
  parent: string,
  aliases: Aliases,
  lists: number,
): JsonText {
  switch (child.kind) {
    case 'count': {
      const count = jsonObject([{ name: 'count', value: [countOf(child, owner, parent, aliases)] }])
      if (child.node.flat || child.attribute.kind === 'component') return count
      return jsonObject([{ name: 'data', value: jsonObject([{ name: 'attributes', value: count }]) }])
    }
    case 'relation': {
      const { many, empty } = child.attribute
      const rows = rowsOf(child, owner, parent, aliases, lists)
      const value = many
        ? jsonList(itemsOf(rows, aliases, lists), empty === 'list' ? '[]' : 'null')
        : jsonOrNull(sql`(${rows})`)
      return child.node.flat ? value : jsonObject([{ name: 'data', value }])
    }
    case 'component': {
      const rows = rowsOf(child, owner, parent, aliases, lists)
      return child.attribute.repeatable
        ? jsonList(itemsOf(rows, aliases, lists), '[]')
        : jsonOrNull(sql`(${rows})`)
    }
    case 'zone':
      return compileZone(child, owner, parent, aliases, lists)
    case 'uses':
      return compileUses(child, owner, parent, aliases, lists)
    default:
      return assertNever(child)
  }
}

/** The items of a populated list. @param lists The number of lists around it; the rows of lists within lists are counted. */
function itemsOf(rows: Sql, aliases: Aliases, lists: number): Sql {
  const alias = aliases.next()
  return sql`(select ${listOf(column(alias, 'json'), aliases, lists > 0)} from (${rows}) as ${sql.id(alias)})`
}

/** The table of a child with its alias, and the conditions on its rows. */
function relatedNode(
  { attribute, node }: Extract<PlanChild, { kind: 'relation' | 'component' | 'count' }>,
  owner: Model,
  parent: string,
  aliases: Aliases,
) {
  const alias = aliases.next()
  const related = relatedRows(attribute, owner, parent, node.model, alias, aliases)
  const condition = node.where && compileCondition(node.where, node.model, alias, aliases)
  return { alias, related, condition }
}

/** The rows of a relation or component of one parent, in their order. */
function rowsOf(
  child: Extract<PlanChild, { kind: 'relation' | 'component' }>,
  owner: Model,
  parent: string,
  aliases: Aliases,
  lists: number,
  layout?: RowLayout,
): Sql {
  const { attribute, node } = child
  const { alias, related, condition } = relatedNode(child, owner, parent, aliases)
  const order =
    node.order.length > 0
      ? node.order.map((term) => compileOrder(term, node.model, alias, aliases))
      : related.order
  const inList = isMany(attribute)
  const page = inList ? sql`${orderBy(order)}${bounded(node.slice, aliases)}` : firstRow(attribute, order)
  const json = rowJson(node, alias, aliases, inList ? lists + 1 : lists, layout)
  const timed = inList ? related.inTime : []
  return sql`select ${json} as "json" from ${related.from}${where([related.on, ...timed, condition])}${page}`
}

/** The limit of a populated list: one more row than an answer may have, so that longer ones are not cut but refused. */
function bounded(slice: PlanNode['slice'], aliases: Aliases): Sql {
  const most = (aliases.bounds?.rows ?? Number.POSITIVE_INFINITY) + 1
  if (slice?.limit !== undefined || !Number.isFinite(most)) return limit(slice, aliases)
  return sql` limit ${sql.lit(most)}${limit(slice, aliases)}`
}

/** The order and limit of the row of a relation or component that is no list. PostgreSQL runs each of these steps for each parent, so unneeded ones are left out. */
function firstRow(attribute: RelationAttribute | ComponentAttribute, order: readonly Sql[]): Sql {
  // Its id is the value of a foreign key.
  if (attribute.kind === 'relation' && attribute.storage.kind === 'own') return sql``
  // An index has the rows of a component by their positions.
  return sql`${orderBy(attribute.kind === 'component' ? order.slice(0, 1) : order)} limit 1`
}

function countOf(
  child: Extract<PlanChild, { kind: 'count' }>,
  owner: Model,
  parent: string,
  aliases: Aliases,
): Sql {
  const { related, condition } = relatedNode(child, owner, parent, aliases)
  return sql`(select count(*) from ${related.from}${where([related.on, ...related.inTime, condition])})::text`
}

/** The items of all components, in their common order. */
function compileZone(
  { attribute, nodes }: Extract<PlanChild, { kind: 'zone' }>,
  owner: Model,
  parent: string,
  aliases: Aliases,
  lists: number,
  layouts?: ReadonlyMap<string, RowLayout>,
): JsonText {
  if (nodes.length === 0) return ['[]']
  const branches = nodes.map((node) => {
    const alias = aliases.next()
    const on = ownedBy(owner, attribute.name, sql`= ${column(parent, owner.id.column)}`, alias)
    const condition = node.where && compileCondition(node.where, node.model, alias, aliases)
    const uid = { name: '__component', value: [JSON.stringify(node.model.uid)] }
    const json = rowJson(node, alias, aliases, lists + 1, layouts?.get(node.model.uid), [uid])
    return sql`select ${column(alias, ownerColumns.position)} as "position", ${json} as "json" from ${table(node.model.table, alias)}${where([on, inTime(column(alias, node.model.id.column), aliases), condition])}`
  })
  const items = aliases.next()
  const inOrder = sql`select ${column(items, 'json')} from (${join(branches, ' union all ')}) as ${sql.id(items)} order by ${column(items, 'position')}${bounded(undefined, aliases)}`
  return jsonList(itemsOf(inOrder, aliases, lists), '[]')
}

/** The entries that link to the parent: those of each content-type in its order, one content-type after the other. */
function compileUses(
  { attribute, owners, slice }: Extract<PlanChild, { kind: 'uses' }>,
  owner: Model,
  parent: string,
  aliases: Aliases,
  lists: number,
): JsonText {
  if (owners.length === 0) return ['[]']
  // The first entries of the list are among the first ones of each content-type.
  const first = slice?.limit === undefined ? slice : { offset: 0, limit: slice.offset + slice.limit }
  const branches = owners.map((user, rank) => {
    const { node } = user
    const { alias, on } = usersOf(attribute, user, column(parent, owner.id.column), aliases)
    const condition = node.where && compileCondition(node.where, node.model, alias, aliases)
    const order =
      node.order.length > 0
        ? node.order.map((term) => compileOrder(term, node.model, alias, aliases))
        : [column(alias, node.model.id.column)]
    const type = { name: '__type', value: [JSON.stringify(node.model.uid)] }
    const json = rowJson(node, alias, aliases, lists + 1, undefined, [type])
    return sql`(select ${sql.lit(rank)} as "type", row_number() over (order by ${join(order, ', ')}) as "row", ${json} as "json" from ${table(node.model.table, alias)}${where([...on, condition])}${orderBy(order)}${bounded(first && { ...first, offset: 0 }, aliases)})`
  })
  const items = aliases.next()
  const inOrder = sql`select ${column(items, 'json')} from (${join(branches, ' union all ')}) as ${sql.id(items)} order by ${column(items, 'type')}, ${column(items, 'row')}${bounded(slice, aliases)}`
  return jsonList(itemsOf(inOrder, aliases, lists), '[]')
}

export const orderBy = (terms: readonly Sql[]): Sql =>
  terms.length === 0 ? sql`` : sql` order by ${join(terms, ', ')}`
