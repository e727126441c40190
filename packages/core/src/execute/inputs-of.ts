import { composed, type Queryable, type Row, type Sql, sql } from '@octavo/database'
import { compilePlan } from '../compile/compile-plan.ts'
import { withColumn } from '../compile/with-column.ts'
import type { Bindable } from '../content-type/attribute-type.ts'
import type { Attribute, ContentType, Model, Registry, RelationAttribute } from '../content-type/model.ts'
import type { EntryInput } from '../content-type/types/entry-input.ts'
import { isObject } from '../kinds-of-values.ts'
import { compare } from '../plan/condition.ts'
import { componentChild, onePlan, relationChild, zoneChild } from '../plan/nodes.ts'
import type { PlanChild, PlanNode } from '../plan/plan.ts'

/**
 * The inputs that would write the named attributes of an entry unchanged, and those of the entries to which a relation leads, by id:
 * relations by ids, components without ids, so that new ones are created. They are derived from an unrestricted read of all attributes.
 * An entry that does not exist has none.
 * @param relation Leads to entries of the same type.
 * @throws Error for one that leads to another type
 */
export async function inputsOf(
  type: ContentType,
  id: number,
  names: readonly string[],
  relation: RelationAttribute,
  registry: Registry,
  tx: Queryable,
): Promise<ReadonlyMap<number, EntryInput>> {
  const { text, values, inputsIn } = readInputs(type, id, names, relation, registry)
  return inputsIn(await tx.query(text, values))
}

/** A read of inputs, and the inputs that its rows have. */
export interface InputsRead {
  readonly text: string
  readonly values: readonly Bindable[]
  readonly statement: Sql
  readonly inputsIn: (rows: readonly Row[]) => ReadonlyMap<number, EntryInput>
}

/** The read of {@link inputsOf}, for a message. @throws Error for a relation that leads to another type */
export function readInputs(
  type: ContentType,
  id: number,
  names: readonly string[],
  relation: RelationAttribute,
  registry: Registry,
): InputsRead {
  if (relation.target !== type.uid)
    throw new Error(`"${relation.name}" leads to ${relation.target}, not to entries of ${type.uid}`)
  const inputsIn: InputsRead['inputsIn'] = ([row]) => {
    if (!row) return new Map()
    const { attributes, ...entry } = JSON.parse(String(row[0])) as Entry
    const { [relation.name]: others, ...own } = attributes
    const { data } = others as { readonly data: Entry | readonly Entry[] | null }
    const all = [{ ...entry, attributes: own }, ...[data ?? []].flat()]
    return new Map(all.map((one) => [one.id, asInput(one.attributes, type, registry)]))
  }
  const { text, values } = readOf(type, id, names, registry, relation)
  return { text, values, statement: composed(text, values), inputsIn }
}

interface Entry {
  readonly id: number
  readonly attributes: EntryInput
}

/** Stored values of an entry, as they were at one moment. */
export interface StoredInput {
  readonly input: EntryInput
  /** `xmin` of the entry's row as text: another one after each update of it. */
  readonly version: string
}

/**
 * The input that would write the named attributes of an entry, as of {@link inputsOf}, for a copy that is checked when it is written;
 * `undefined` when the entry does not exist.
 */
export async function storedInput(
  type: ContentType,
  id: number,
  names: readonly string[],
  registry: Registry,
  db: Queryable,
): Promise<StoredInput | undefined> {
  const version = sql`(select "v"."xmin"::text from ${sql.id(type.table)} as "v" where "v"."id" = ${sql.lit(id)})`
  // One statement, since the version must be that of the values.
  const { text, values } = withColumn(readOf(type, id, names, registry), version)
  const [row] = await db.query(text, values as readonly Bindable[])
  if (!row) return undefined
  const { attributes } = JSON.parse(String(row[1])) as Entry
  return { input: asInput(attributes, type, registry), version: String(row[0]) }
}

function readOf(
  type: ContentType,
  id: number,
  names: readonly string[],
  registry: Registry,
  relation?: RelationAttribute,
) {
  const attributes = [...type.attributes.values()].filter(({ name }) => names.includes(name))
  const node = whole(type, attributes, registry)
  const children = [...node.children, ...(relation ? [relationChild(relation, node)] : [])]
  const { text, values } = compilePlan(onePlan({ ...node, where: compare(type.id, '$eq', id), children }))
  // The plan has no runtime values: its only operand is above.
  return { text, values: values as readonly Bindable[] }
}

function whole(model: Model, attributes: readonly Attribute[], registry: Registry): PlanNode {
  return {
    model,
    select: attributes.filter((attribute) => attribute.kind === 'scalar').filter(({ type }) => !type.secret),
    where: undefined,
    order: [],
    slice: undefined,
    children: attributes.flatMap((attribute) => childOf(attribute, registry)),
    meta: undefined,
  }
}

function childOf(attribute: Attribute, registry: Registry): readonly PlanChild[] {
  const all = (uid: string): PlanNode => {
    const component = registry.component(uid)
    return whole(component, [...component.attributes.values()], registry)
  }
  switch (attribute.kind) {
    case 'scalar':
    case 'computed':
      return []
    case 'relation':
      if (attribute.exclusive || attribute.storage.kind === 'siblings') return []
      return [relationChild(attribute, whole(registry.contentType(attribute.target), [], registry))]
    case 'component':
      return [componentChild(attribute, all(attribute.component))]
    case 'zone':
      return [zoneChild(attribute, attribute.components.map(all))]
  }
}

function asInput(values: EntryInput, model: Model, registry: Registry): EntryInput {
  const input: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    const attribute = model.attributes.get(name)
    if (attribute) input[name] = inputValue(value, attribute, registry)
  }
  return input
}

function inputValue(value: unknown, attribute: Attribute, registry: Registry): unknown {
  const part = (item: unknown, uid: string): unknown =>
    isObject(item) ? asInput(item, registry.component(uid), registry) : item
  switch (attribute.kind) {
    case 'scalar':
    case 'computed':
      return value
    case 'relation': {
      const { data } = value as { readonly data: unknown }
      return Array.isArray(data)
        ? data.map((one: { readonly id: number }) => one.id)
        : ((data as { readonly id: number } | null)?.id ?? null)
    }
    case 'component':
      return Array.isArray(value)
        ? value.map((item) => part(item, attribute.component))
        : part(value, attribute.component)
    case 'zone':
      return (value as readonly { readonly __component: string }[]).map((item) => ({
        ...(part(item, item.__component) as object),
        __component: item.__component,
      }))
  }
}
