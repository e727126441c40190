import { ConfigurationError } from '@octavo/core'
import { contentActions, didYouMean } from '@octavo/core/internal'
import type { Attribute, ContentType, Model, Registry } from '@octavo/core/plugin'

/** The parts of the models that GraphQL leaves out. */
export interface Disabled {
  /** Uids of content-types, with the relations to them. */
  readonly types: ReadonlySet<string>
  /** Operations: `api::article.article.delete`. */
  readonly operations: ReadonlySet<string>
  /** Attributes: `api::article.article.note`, `shared.seo.note`. */
  readonly attributes: ReadonlySet<string>
}

/**
 * Reads the option `disabled`.
 * @throws ConfigurationError for a name that is not a content-type, operation or attribute
 */
export function readDisabled(names: readonly string[], registry: Registry): Disabled {
  const disabled = { types: new Set<string>(), operations: new Set<string>(), attributes: new Set<string>() }
  const models = [...registry.contentTypes.values(), ...registry.components.values()]
  const known = models.flatMap(({ uid, kind, attributes }) => [
    ...(kind === 'component' ? [] : [uid, ...contentActions.map((action) => `${uid}.${action}`)]),
    ...[...attributes.keys()].map((name) => `${uid}.${name}`),
  ])
  for (const name of names) {
    if (!known.includes(name))
      throw new ConfigurationError(
        `graphql.disabled: "${name}" is no content-type, operation or attribute${didYouMean(name, known)}`,
      )
    const [last = ''] = name.split('.').slice(-1)
    if (registry.contentTypes.has(name)) disabled.types.add(name)
    else if ((contentActions as readonly string[]).includes(last)) disabled.operations.add(name)
    else disabled.attributes.add(name)
  }
  return disabled
}

/** A registry without the disabled types and attributes. */
export function viewOf(registry: Registry, { types, attributes }: Disabled): Registry {
  if (types.size === 0 && attributes.size === 0) return registry
  const isLeft = (model: Model, attribute: Attribute): boolean =>
    !attributes.has(`${model.uid}.${attribute.name}`) &&
    !(attribute.kind === 'relation' && types.has(attribute.target))
  const view = <M extends Model>(model: M): M => ({
    ...model,
    attributes: new Map([...model.attributes].filter(([, attribute]) => isLeft(model, attribute))),
  })
  const contentTypes = new Map<string, ContentType>()
  for (const [uid, type] of registry.contentTypes) if (!types.has(uid)) contentTypes.set(uid, view(type))
  const components = new Map([...registry.components].map(([uid, model]) => [uid, view(model)]))
  return {
    morphTables: registry.morphTables,
    byRoute: (name) => registry.byRoute(name),
    contentTypes,
    components,
    contentType: (uid) => contentTypes.get(uid) ?? registry.contentType(uid),
    component: (uid) => components.get(uid) ?? registry.component(uid),
    model: (uid) => contentTypes.get(uid) ?? components.get(uid) ?? registry.model(uid),
  }
}
