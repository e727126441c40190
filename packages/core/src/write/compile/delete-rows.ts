import { type BatchedTransaction, param, type Sql, sql } from '@octavo/database'
import {
  type Component,
  componentsOf,
  type Model,
  ownerColumns,
  type Registry,
} from '../../content-type/model.ts'

const type = sql.id(ownerColumns.type)
const owner = sql.id(ownerColumns.id)
const field = sql.id(ownerColumns.field)

/** The components of some attributes of owners. */
interface Owned {
  readonly component: Component
  readonly fields: readonly string[]
  /** Ids of components to preserve. Default: none. */
  readonly keep?: readonly number[]
}

/**
 * Composes one statement that deletes rows with all that belongs to them: components with their components, and links. It is one
 * clause for each table, each of which deletes what belongs to the rows that the clause above it returns.
 */
class Deletion {
  readonly #registry: Registry
  readonly #clauses: Sql[] = []
  readonly #cut: { readonly component: Component; readonly clause: Sql }[] = []

  constructor(registry: Registry) {
    this.#registry = registry
  }

  get isEmpty(): boolean {
    return this.#clauses.length === 0
  }

  /** Deletes what belongs to the rows of a model. @param ids A query of their ids. @param above The components above it. */
  parts(model: Model, ids: Sql, above: readonly Component[] = []): void {
    const fields = new Map<string, string[]>()
    for (const attribute of model.attributes.values()) {
      for (const uid of componentsOf(attribute)) fields.set(uid, [...(fields.get(uid) ?? []), attribute.name])
      if (attribute.kind === 'relation' && attribute.storage.kind === 'link')
        this.add(
          sql`delete from ${sql.id(attribute.storage.table)} where ${ownedBy(model, sql`in (${ids})`, [attribute.name])}`,
        )
    }
    for (const [uid, names] of fields)
      this.components(model, ids, { component: this.#registry.component(uid), fields: names }, above)
  }

  components(
    model: Model,
    ids: Sql,
    { component, fields, keep }: Owned,
    above: readonly Component[] = [],
  ): void {
    const kept = keep ? sql` and "id" <> all(${param(keep, 'int4[]')})` : sql``
    const clause = this.add(
      sql`delete from ${sql.id(component.table)} where ${ownedBy(model, sql`in (${ids})`, fields)}${kept} returning "id"`,
    )
    // A component that contains itself: its rows are deleted by a further statement.
    if (above.includes(component)) this.#cut.push({ component, clause })
    else this.parts(component, sql`select "id" from ${clause}`, [...above, component])
  }

  add(statement: Sql): Sql {
    const name = sql.id(`d${this.#clauses.length}`)
    this.#clauses.push(sql`${name} as (${statement})`)
    return name
  }

  /** The statement; its rows are `(n, id)`, the deleted rows of the component `n` of `rest` whose parts remain. */
  statement(): { readonly statement: Sql; readonly rest: readonly Component[] } {
    const rest = this.#cut.map(({ clause }, n) => sql`select ${sql.lit(n)} as "n", "id" from ${clause}`)
    const rows = rest.length === 0 ? sql`select 1` : sql.join(rest, sql` union all `)
    const statement = sql`with ${sql.join(this.#clauses)} ${rows}`
    return { statement, rest: this.#cut.map(({ component }) => component) }
  }
}

/** The condition for what belongs to attributes of rows of a model. @param isOwner Of an id, such as `= 7`. */
export const ownedBy = (model: Model, isOwner: Sql, fields: readonly string[]): Sql =>
  sql`${owner} ${isOwner} and ${type} = ${sql.lit(model.uid)} and ${field} in (${sql.join(fields.map(sql.lit))})`

/** Deletes an entry with its components and links. Foreign keys remove the relations of other entries to it. @param id An expression. */
export const deleteEntry = (
  model: Model,
  id: Sql,
  registry: Registry,
  tx: BatchedTransaction,
): Promise<void> => run(entryDeletion(model, id, registry), registry, tx)

/** The statement of {@link deleteEntry}, unless a component {@link containsItself}. */
export const deletionOf = (model: Model, id: Sql, registry: Registry): Sql =>
  entryDeletion(model, id, registry).statement().statement

function entryDeletion(model: Model, id: Sql, registry: Registry): Deletion {
  const ids = sql`select ${id}`
  const deletion = new Deletion(registry)
  deletion.add(sql`delete from ${sql.id(model.table)} where "id" = ${id}`)
  deletion.parts(model, ids)
  for (const table of registry.morphTables)
    deletion.add(
      sql`delete from ${sql.id(table)} where ${owner} in (${ids}) and ${type} = ${sql.lit(model.uid)}`,
    )
  return deletion
}

/** Deletes the components of an attribute of a row, with all that belongs to them. @param id Of the row, as an expression. */
export async function deleteComponents(
  model: Model,
  id: Sql,
  owned: readonly Owned[],
  registry: Registry,
  tx: BatchedTransaction,
): Promise<void> {
  const deletion = new Deletion(registry)
  for (const one of owned) deletion.components(model, sql`select ${id}`, one)
  await run(deletion, registry, tx)
}

async function run(deletion: Deletion, registry: Registry, tx: BatchedTransaction): Promise<void> {
  if (deletion.isEmpty) return
  const { statement, rest } = deletion.statement()
  if (rest.length === 0) return tx.send(statement)
  for (const [n, rows] of Map.groupBy(await tx.run(statement), (row) => Number(row.n))) {
    const further = new Deletion(registry)
    const ids = rows.map(({ id }) => Number(id))
    const component = rest[n] as Component // n counts them
    further.parts(component, sql`select unnest(${param(ids, 'int4[]')})`, [component])
    await run(further, registry, tx)
  }
}

const nested = new WeakMap<Model, boolean>()

/** Whether a component below a model contains itself, so that its rows are deleted by several statements. */
export function containsItself(model: Model, registry: Registry, above: readonly Model[] = []): boolean {
  const known = nested.get(model)
  if (known !== undefined) return known
  if (above.includes(model)) return true
  const uids = [...model.attributes.values()].flatMap(componentsOf)
  const found = uids.some((uid) => containsItself(registry.component(uid), registry, [...above, model]))
  nested.set(model, found)
  return found
}
