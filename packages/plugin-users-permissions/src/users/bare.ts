import { isValue } from '@octavo/core/internal'
import type { Model, Registry } from '@octavo/core/plugin'

type Json = Readonly<Record<string, unknown>>

/**
 * An entry without its envelopes, for the responses of user routes: `{ id, attributes: { role: { data } } }` becomes
 * `{ id, ..., role }`. Only relations of the model are unwrapped, since a JSON attribute may have the same form.
 * Source: docs/contract/accounts-and-files.md#callers.
 */
export function bare(entry: Json, model: Model, registry: Registry): Json {
  const fields = (model.kind === 'component' ? entry : entry.attributes) as Json // as core answers it
  const plain = Object.entries(fields).map(([name, value]) => [name, bareValue(name, value, model, registry)])
  return model.kind === 'component'
    ? Object.fromEntries(plain)
    : { id: entry.id, ...(Object.fromEntries(plain) as Json) }
}

function bareValue(name: string, value: unknown, model: Model, registry: Registry): unknown {
  const attribute = model.attributes.get(name)
  if (!attribute || isValue(attribute) || value === null) return value
  if (attribute.kind === 'relation') {
    const { data } = value as { readonly data: unknown }
    const target = registry.contentType(attribute.target)
    // A count has attributes but no id.
    return each(data, (item) => ('id' in item ? bare(item, target, registry) : item.attributes))
  }
  return each(value, (item) =>
    bare(
      item,
      registry.component(attribute.kind === 'zone' ? String(item.__component) : attribute.component),
      registry,
    ),
  )
}

function each(value: unknown, work: (item: Json) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => work(item as Json))
  return value === null ? null : work(value as Json)
}
