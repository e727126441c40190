import type { Transaction } from '@octavo/database'
import { compilePlan } from '../compile/compile-plan.ts'
import type { Bindable } from '../content-type/attribute-type.ts'
import type { Attribute, ContentType, Model, Registry } from '../content-type/model.ts'
import type { EntryInput } from '../content-type/types/entry-input.ts'
import { problem } from '../error/problems.ts'
import { isObject } from '../is-object.ts'
import { compare } from '../plan/condition.ts'
import { componentChild, onePlan, relationChild, zoneChild } from '../plan/nodes.ts'
import type { PlanChild, PlanNode } from '../plan/plan.ts'

/**
 * The input that would write the named attributes of an entry unchanged: relations by ids, components without
 * ids, so that new ones are created. It is derived from an unrestricted read of all attributes.
 *
 * @throws NotFoundError when the entry does not exist.
 */
export async function inputOf(
  type: ContentType,
  id: number,
  names: readonly string[],
  registry: Registry,
  tx: Transaction,
): Promise<EntryInput> {
  const attributes = [...type.attributes.values()].filter(({ name }) => names.includes(name))
  const where = compare(type.id, '$eq', id)
  const { text, values } = compilePlan(onePlan({ ...whole(type, attributes, registry), where }))
  // The plan has no runtime values: its only operand is above.
  const [row] = await tx.query(text, values as readonly Bindable[])
  if (!row) throw problem('entry/not-found')
  const entry = JSON.parse(String(row[0])) as { readonly attributes: EntryInput }
  return asInput(entry.attributes, type, registry)
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
