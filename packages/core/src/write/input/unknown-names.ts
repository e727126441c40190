import type { Attribute, Model, MorphAttribute, Registry } from '../../content-type/model.ts'
import { didYouMean } from '../../content-type/nearest.ts'
import type { EntryInput } from '../../content-type/types/entry-input.ts'
import { isObject } from '../../is-object.ts'
import type { HookRunner } from '../../plugin/hook-runner.ts'
import type { WriteEvent } from '../../plugin/write-hooks.ts'
import { reportedNames } from '../../unknown-names.ts'
import { ignoredNames } from './validate.ts'
import type { BodyPath } from './write-plan.ts'

/** A name in a body that no attribute has. */
export interface UnknownName {
  readonly at: BodyPath
  /** `{at} is no attribute of article; did you mean "title"?` */
  readonly message: string
}

/**
 * The first names in the input of a write that no attribute has, at any depth, at most {@link reportedNames}. Names that answers
 * have, such as `id`, are known.
 */
export function unknownNamesIn(
  event: WriteEvent,
  at: BodyPath,
  { registry, hooks }: { readonly registry: Registry; readonly hooks: HookRunner },
): readonly UnknownName[] {
  const found: UnknownName[] = []
  /** Attributes for hints. Private ones are not named, nor those that the caller may not write. */
  const shown = (model: Model): readonly string[] =>
    [...model.attributes.values(), ...model.morphs.values()].flatMap((attribute) =>
      isShown(attribute, model) ? [attribute.name] : [],
    )
  const isShown = (attribute: Attribute | MorphAttribute, model: Model): boolean => {
    if (ignoredNames.has(attribute.name) || ('private' in attribute && attribute.private)) return false
    return model !== event.type || !hooks.collect('entry:writable', attribute, event).includes(false)
  }
  const walk = (model: Model, input: EntryInput, path: BodyPath): void => {
    for (const [name, value] of Object.entries(input)) {
      if (found.length === reportedNames) return
      const here = [...path, name]
      const attribute = model.attributes.get(name)
      if (attribute) {
        for (const [part, item, place] of partsOf(attribute, value, here, registry)) walk(part, item, place)
        continue
      }
      if (value === undefined || ignoredNames.has(name)) continue
      if (model.morphs.has(name) || model.uses.has(name)) continue
      if (model.kind === 'component' && name === '__component') continue
      const type = model.kind === 'component' ? model.uid : model.singularName
      found.push({
        at: here,
        message: `{at} is no attribute of ${type}${didYouMean(name, shown(model), '.')}`,
      })
    }
  }
  walk(event.type, event.input, at)
  return found
}

/** The components in the value of an attribute. Values of another form are mistakes of their own. */
function* partsOf(
  attribute: Attribute,
  value: unknown,
  at: BodyPath,
  registry: Registry,
): Generator<readonly [Model, EntryInput, BodyPath]> {
  if (attribute.kind !== 'component' && attribute.kind !== 'zone') return
  const items = Array.isArray(value) ? value.entries() : [[undefined, value] as const]
  for (const [i, item] of items) {
    if (!isObject(item)) continue
    const uid = attribute.kind === 'component' ? attribute.component : item.__component
    if (attribute.kind === 'zone' && !attribute.components.includes(String(uid))) continue
    yield [registry.component(String(uid)), item, i === undefined ? at : [...at, i]]
  }
}
