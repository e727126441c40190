import {
  Aliases,
  type Compiled,
  column,
  join,
  type Sql,
  type StatementBounds,
  sql,
  table,
  toStatement,
  where,
} from '@octavo/database'
import { type Model, ownerColumns } from '../content-type/model.ts'
import type { PlanChild, PlanNode, PlanOwner, QueryPlan } from '../plan/plan.ts'
import { isMany } from '../resolve/lists.ts'
import { compileCondition, compileListCondition } from './condition.ts'
import { orderBy } from './entry.ts'
import { ownedBy, relatedRows, usersOf } from './from.ts'
import { inTime } from './guards.ts'
import { keysetRows } from './keyset.ts'
import { compileOrder } from './order.ts'
import { limit } from './pages.ts'

/**
 * Counts the entries and components of a response, at any depth, without building it. Its one row has the
 * number of the root's rows, then a number for each of its populated children, in order.
 *
 * @param most Maximum rows to count per list, which bounds the cost of the count.
 */
export function compileRowCount(plan: QueryPlan, most: number, bounds?: StatementBounds): Compiled {
  const { root } = plan
  const aliases = new Aliases({ bounds })
  const counting = new Counting(most, aliases)
  const inner = aliases.next()
  const rows =
    plan.kind === 'list' && plan.paging.kind === 'cursor'
      ? // The extra row is not returned.
        keysetRows(
          { ...root, slice: { offset: 0, limit: plan.paging.pageSize } },
          plan.paging.keyset,
          aliases,
        )
      : rootRows(root, inner, aliases)
  const alias = aliases.next()
  const below = root.children.map(
    (child) => sql`coalesce(sum(${counting.child(child, root.model, alias)}), 0)`,
  )
  return toStatement(sql`select ${join([sql`count(*)`, ...below], ', ')} from (${rows}) as ${sql.id(alias)}`)
}

function rootRows(root: PlanNode, alias: string, aliases: Aliases): Sql {
  const condition = root.where && compileListCondition(root.where, root.model, alias, aliases)
  const order = root.order.map((term) => compileOrder(term, root.model, alias, aliases))
  return sql`select ${sql.id(alias)}.* from ${table(root.model.table, alias)}${where([inTime(column(alias, root.model.id.column), aliases), condition])}${orderBy(order)}${limit(root.slice, aliases)}`
}

class Counting {
  readonly #most: number
  readonly #aliases: Aliases

  constructor(most: number, aliases: Aliases) {
    this.#most = most
    this.#aliases = aliases
  }

  /** The number of rows that a child adds to its parent's row. */
  child(child: PlanChild, owner: Model, parent: string): Sql {
    switch (child.kind) {
      case 'count':
        return sql`0`
      case 'relation':
      case 'component':
        return this.#rows(child, owner, parent)
      case 'zone':
        return this.#sum(child.nodes.map((node) => this.#part(node, child.attribute.name, owner, parent)))
      case 'uses':
        return this.#sum(child.owners.map((user) => this.#users(child, user, owner, parent)))
    }
  }

  #rows(
    { attribute, node }: Extract<PlanChild, { kind: 'relation' | 'component' }>,
    owner: Model,
    parent: string,
  ): Sql {
    const alias = this.#aliases.next()
    const related = relatedRows(attribute, owner, parent, node.model, alias, this.#aliases)
    const slice = isMany(attribute) ? node.slice : { offset: 0, limit: 1 }
    const condition = node.where && compileCondition(node.where, node.model, alias, this.#aliases)
    // The order of a sliced list matters only for the rows below it.
    const isOrdered = slice !== undefined && node.children.length > 0
    const terms = node.order.map((term) => compileOrder(term, node.model, alias, this.#aliases))
    const order = isOrdered ? orderBy(terms.length > 0 ? terms : related.order) : sql``
    const rows = sql`select ${sql.id(alias)}.* from ${related.from}${where([related.on, ...related.inTime, condition])}${order}${this.#cut(slice)}`
    return this.#under(node, rows)
  }

  #part(node: PlanNode, field: string, owner: Model, parent: string): Sql {
    const alias = this.#aliases.next()
    const on = ownedBy(owner, field, sql`= ${column(parent, owner.id.column)}`, alias)
    const rows = sql`select ${sql.id(alias)}.* from ${table(node.model.table, alias)}${where([on, inTime(column(alias, node.model.id.column), this.#aliases)])} order by ${column(alias, ownerColumns.position)}${this.#cut(undefined)}`
    return this.#under(node, rows)
  }

  /** A slice of the whole list is counted as one of each content-type, of which it has no more. */
  #users(
    { attribute, slice }: Extract<PlanChild, { kind: 'uses' }>,
    user: PlanOwner,
    owner: Model,
    parent: string,
  ): Sql {
    const { node } = user
    const { alias, on } = usersOf(attribute, user, column(parent, owner.id.column), this.#aliases)
    const condition = node.where && compileCondition(node.where, node.model, alias, this.#aliases)
    const first = slice?.limit === undefined ? undefined : { offset: 0, limit: slice.offset + slice.limit }
    const rows = sql`select ${sql.id(alias)}.* from ${table(node.model.table, alias)}${where([...on, condition])}${this.#cut(first)}`
    return this.#under(node, rows)
  }

  /** The rows of a node and the number below each. */
  #under(node: PlanNode, rows: Sql): Sql {
    const alias = this.#aliases.next()
    const each = this.#sum([sql`1`, ...node.children.map((child) => this.child(child, node.model, alias))])
    return sql`(select coalesce(sum(${each}), 0) from (${rows}) as ${sql.id(alias)})`
  }

  #sum(parts: readonly Sql[]): Sql {
    return parts.length === 0 ? sql`0` : sql`(${join(parts, ' + ')})`
  }

  #cut(slice: PlanNode['slice']): Sql {
    const most = this.#most + 1
    return limit({ offset: slice?.offset ?? 0, limit: Math.min(slice?.limit ?? most, most) }, this.#aliases)
  }
}
