import { isObject } from '@octavo/core/internal'
import type { Attribute, Model, Registry } from '@octavo/core/plugin'

/**
 * The input of an entry without the passwords in it, those of its components too: by the rest a repeated create is recognised. A client that
 * keeps a create to repeat it need not keep passwords, and no hash is stored that was made of one.
 */
export function withoutPasswords(input: unknown, model: Model, registry: Registry): unknown {
  if (!isObject(input)) return input
  const rest: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(input)) {
    const attribute = model.attributes.get(name)
    if (attribute?.kind === 'scalar' && attribute.type.secret) continue
    rest[name] = Array.isArray(value)
      ? value.map((item) => partWithout(item, attribute, registry))
      : partWithout(value, attribute, registry)
  }
  return rest
}

function partWithout(item: unknown, attribute: Attribute | undefined, registry: Registry): unknown {
  if (attribute?.kind === 'component')
    return withoutPasswords(item, registry.component(attribute.component), registry)
  if (attribute?.kind !== 'zone' || !isObject(item)) return item
  const uid = attribute.components.find((one) => one === item.__component)
  return uid === undefined ? item : withoutPasswords(item, registry.component(uid), registry)
}
