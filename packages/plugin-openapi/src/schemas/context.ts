import type {
  Attribute,
  ContentType,
  DeclaredOperators,
  Model,
  Registry,
  ValueAttribute,
} from '@octavo/core/plugin'
import type { ApiDescription, JsonSchema } from '@octavo/server'
import { modelNames } from './names.ts'
import { References, reference } from './references.ts'
import { sharedSchemas } from './shared.ts'
import { type ValueSchemas, valueTypes } from './values.ts'

/** Attributes that a reader of the description may see; `undefined`: all that are not private. */
export type Visible = (type: ContentType) => ReadonlySet<string> | undefined

/** Attributes that bodies may have; `undefined`: all without `"writable": false`. */
export type Writable = (type: ContentType, action: 'create' | 'update') => ReadonlySet<string> | undefined

export interface ContextOptions {
  readonly registry: Registry
  /** The operators that plugins added to `filters`. */
  readonly operators: DeclaredOperators
  /** Whether the server refuses names that nothing reads. */
  readonly strict: boolean
  readonly visible: Visible
  readonly writable: Writable
  /** The parts of plugins. They are made with the schemas, so they are complete only when the description is. */
  readonly parts: () => readonly ApiDescription[]
}

/** The common part of all schemas of a description. */
export interface SchemaContext {
  readonly registry: Registry
  readonly operators: DeclaredOperators
  readonly strict: boolean
  readonly visible: Visible
  readonly references: References
  /** The name that a model's schemas begin with. */
  nameOf(model: Pick<Model, 'uid'>): string
  valueOf(attribute: ValueAttribute): ValueSchemas
  /** Whether bodies may have an attribute of an entry or a component. */
  isWritable(
    attribute: Pick<Attribute, 'name' | 'definition'>,
    model: Model,
    action: 'create' | 'update',
  ): boolean
  /** Whether entries of a model may be drafts, or its components parts of drafts, which may lack required values. */
  mayBeDraft(model: Model): boolean
  /** Discriminates the components of a zone. @param suffix The suffix of the names of their schemas. */
  discriminator(uids: readonly string[], suffix: string): JsonSchema
}

export function schemaContext({
  registry,
  operators,
  strict,
  visible,
  writable,
  parts,
}: ContextOptions): SchemaContext {
  const names = modelNames(registry)
  const partsOfDrafts = componentsOf([...registry.contentTypes.values()].filter(isDraftable), registry)
  const nameOf = ({ uid }: Pick<Model, 'uid'>): string => names.get(uid) ?? uid
  const named = (name: string): JsonSchema | undefined =>
    sharedSchemas[name] ?? parts().find(({ schemas }) => schemas?.[name])?.schemas?.[name]
  return {
    registry,
    operators,
    strict,
    visible,
    references: new References(named),
    nameOf,
    valueOf({ type, definition }) {
      const own = parts()
        .find(({ values }) => values?.[type.name])
        ?.values?.[type.name]?.(definition)
      if (own) return { answer: own, input: own }
      return valueTypes[type.name]?.(definition) ?? { answer: {}, input: {} }
    },
    isWritable({ name, definition }, model, action) {
      // The server takes components as they are.
      if (model.kind === 'component') return true
      return definition.writable !== false && (writable(model, action)?.has(name) ?? true)
    },
    mayBeDraft: (model) => isDraftable(model) || partsOfDrafts.has(model.uid),
    discriminator(uids, suffix) {
      const mapping = uids.map((uid) => [uid, reference(`${nameOf({ uid })}${suffix}`).$ref])
      return { propertyName: '__component', mapping: Object.fromEntries(mapping) }
    },
  }
}

/** The description of a content-type or component. */
export const describedBy = ({ definition: { info } }: Model): JsonSchema =>
  typeof info?.description === 'string' && info.description !== '' ? { description: info.description } : {}

/** Whether entries of a model may be drafts, which may lack required attributes. */
export const isDraftable = (model: Model): boolean =>
  model.kind !== 'component' && model.attributes.has('publishedAt')

/** The uids of the components of models, at any depth. */
function componentsOf(models: readonly Model[], registry: Registry): ReadonlySet<string> {
  const found = new Set<string>()
  const open = [...models]
  for (let model = open.pop(); model; model = open.pop()) {
    const uids = [...model.attributes.values()].flatMap((attribute) =>
      attribute.kind === 'component'
        ? attribute.component
        : attribute.kind === 'zone'
          ? attribute.components
          : [],
    )
    for (const uid of uids) {
      if (found.has(uid)) continue
      found.add(uid)
      open.push(registry.component(uid))
    }
  }
  return found
}
