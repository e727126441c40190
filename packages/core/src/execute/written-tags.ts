import { componentsOf, type Model, type Registry } from '../content-type/model.ts'
import type { WriteEvent } from '../plugin/write-event.ts'
import { anyTag, anyWriteTag, decidesRights, entryTag, listTag, rightsTag, valuesTag } from './tags.ts'

/**
 * The tags of responses that a write may have changed: the tags that a cache invalidates in
 * `entry:committed`. `tags.ts` documents the tags of responses.
 */
export function tagsOfWrite(
  { type, id, action, input }: Pick<WriteEvent, 'type' | 'id' | 'action' | 'input'>,
  registry: Registry,
): readonly string[] {
  const tags = new Set([anyWriteTag, valuesTag(type), anyTag(type)])
  if (id !== undefined) tags.add(entryTag(type, id))
  if (decidesRights(type)) tags.add(rightsTag)
  const touched = relatedTypes(type, registry, (name) => Object.hasOwn(input, name))
  if (action !== 'update' || touched.size > 0) tags.add(listTag(type))
  // Targets may have moved from entries that are not part of the write.
  for (const uid of touched) tags.add(listTag({ uid }))
  return [...tags]
}

/** Uids of the target types of the written relations, including those in components. */
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
      for (const uid of componentsOf(attribute)) visit(registry.component(uid), () => true)
    }
  }
  visit(model, isNamed)
  return uids
}
