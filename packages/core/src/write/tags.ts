import type { Model, Registry } from '../content-type/model.ts'
import { anyTag, anyWriteTag, entryTag, listTag, valuesTag } from '../execute/tags.ts'
import type { WriteEvent } from '../plugin/hooks.ts'

/**
 * The tags of answers that a write may have changed: what a cache forgets when it is told of the write by
 * `entry:committed`. Answers carry the tags that `execute/tags.ts` tells of.
 */
export function tagsOfWrite(
  { type, id, action, input }: Pick<WriteEvent, 'type' | 'id' | 'action' | 'input'>,
  registry: Registry,
): readonly string[] {
  const tags = new Set([anyWriteTag, valuesTag(type), anyTag(type)])
  if (id !== undefined) tags.add(entryTag(type, id))
  const touched = relatedTypes(type, registry, (name) => Object.hasOwn(input, name))
  if (action !== 'update' || touched.size > 0) tags.add(listTag(type))
  // Targets may have been taken from entries of which the write does not tell.
  for (const uid of touched) tags.add(listTag({ uid }))
  return [...tags]
}

/** Uids of the types that named relations lead to, those in components too. */
function relatedTypes(
  model: Model,
  registry: Registry,
  isNamed: (name: string) => boolean,
): ReadonlySet<string> {
  const uids = new Set<string>()
  const visit = (visited: Model, named: (name: string) => boolean): void => {
    for (const { name, sides } of visited.morphs.values())
      if (named(name)) for (const uid of [visited.uid, ...sides.keys()]) uids.add(uid)
    for (const attribute of visited.attributes.values()) {
      if (!named(attribute.name)) continue
      if (attribute.kind === 'relation') uids.add(attribute.target)
      else if (attribute.kind === 'component') visit(registry.component(attribute.component), () => true)
      else if (attribute.kind === 'zone')
        for (const uid of attribute.components) visit(registry.component(uid), () => true)
    }
  }
  visit(model, isNamed)
  return uids
}
