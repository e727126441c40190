import { type Attribute, isValue, type Model, type UsesAttribute } from '../content-type/model.ts'
import { isForeignText } from '../parse/foreign.ts'
import type { RawPopulate } from '../parse/raw.ts'
import { nothingToPopulate } from './refuse.ts'
import type { Scope } from './scope.ts'

/**
 * Reports the places in `populate` that populate nothing: names that no model there has, that are values, or that the caller may
 * not read. In a dynamic zone one of its components has to have the name.
 * @param use The use of the node.
 */
export function reportUnknownPlaces(
  { named }: RawPopulate,
  models: readonly Model[],
  scope: Scope,
  use: 'root' | 'populate',
): void {
  if (named.size === 0) return
  const known = new Map<string, (Attribute | UsesAttribute)[]>()
  for (const model of models)
    for (const attribute of placesOf(model, scope, use))
      known.set(attribute.name, [...(known.get(attribute.name) ?? []), attribute])
  for (const [place, child] of named) {
    if (!child) continue
    const name = child.of ?? place
    const attributes = known.get(name)
    if (!attributes) {
      // There was a warning that says more.
      if (!isForeignText(name, child.at))
        scope.unknownName?.(() => nothingToPopulate(child.at, name, [...known.keys()]))
      continue
    }
    const targets = attributes.flatMap(targetsOf)
    for (const [uid, component] of child.on ?? []) {
      if (!targets.includes(uid)) scope.unknownName?.(() => nothingToPopulate(child.at, uid, targets))
      else if (component)
        reportUnknownPlaces(component.populate, [scope.registry.model(uid)], scope, 'populate')
    }
    reportUnknownPlaces(
      child.populate,
      targets.map((uid) => scope.registry.model(uid)),
      scope,
      'populate',
    )
  }
}

/** The attributes of a model that the caller may populate. */
const placesOf = (
  model: Model,
  scope: Scope,
  use: 'root' | 'populate',
): readonly (Attribute | UsesAttribute)[] => [
  ...scope.usable(model, use).filter((attribute) => !isValue(attribute)),
  ...[...model.uses.values()].filter((attribute) => scope.isOpen(attribute, model, use)),
]

/** The uids of the models that an attribute leads to. */
export function targetsOf(attribute: Attribute | UsesAttribute): readonly string[] {
  switch (attribute.kind) {
    case 'scalar':
    case 'computed':
      return []
    case 'relation':
      return [attribute.target]
    case 'component':
      return [attribute.component]
    case 'zone':
      return attribute.components
    case 'uses':
      return [...attribute.owners.keys()]
  }
}
