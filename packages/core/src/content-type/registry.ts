import type { AttributeType } from './attribute-type.ts'
import { idType } from './attribute-types/table.ts'
import type { ComponentDefinition, ContentTypeDefinition } from './definition/definition.ts'
import {
  type ComponentDraft,
  type ContentTypeDraft,
  type Draft,
  draftComponents,
  draftContentTypes,
} from './draft/drafts.ts'
import { DefinitionMistakes } from './draft/mistakes.ts'
import { frozenMap } from './frozen.ts'
import type {
  Attribute,
  Component,
  ContentType,
  Model,
  ModelIndex,
  MorphAttribute,
  Registry,
  ScalarAttribute,
  UsesAttribute,
} from './model.ts'
import { hintOf, meantComponent, meantUid } from './nearest.ts'
import { rowColumns } from './storage/row-columns.ts'
import { buildAttributes } from './validate/attributes.ts'
import { checkClashes } from './validate/clashes.ts'
import { checkCycles } from './validate/cycles.ts'
import { buildIndexes } from './validate/indexes.ts'
import { buildMorphs } from './validate/morph.ts'
import { Omissions } from './validate/omissions.ts'
import { checkSearch } from './validate/search.ts'
import type { Surroundings } from './validate/surroundings.ts'
import { checkTables } from './validate/tables.ts'
import { checkTotals } from './validate/totals.ts'
import { buildUses } from './validate/uses.ts'

export interface RegistryInput {
  readonly contentTypes: readonly ContentTypeDefinition[]
  readonly components: readonly ComponentDefinition[]
  /** Core's and the plugins', by name. */
  readonly attributeTypes: ReadonlyMap<string, AttributeType>
  /** Types that a plugin provides: `{ media: 'a plugin that stores files' }`. Default none. */
  readonly absentTypes?: Readonly<Record<string, string>>
  /** Names of attributes that are private in every definition. Default none. */
  readonly privateAttributes?: readonly string[]
}

export interface BuiltRegistry {
  readonly registry: Registry
  /** Log messages about omitted or simplified attributes. */
  readonly warnings: readonly string[]
}

/**
 * Validates all definitions together and resolves them into models. The definitions are copied, so later changes to them
 * do not affect the registry, which is frozen.
 *
 * @throws DefinitionError with all mistakes.
 */
export function buildRegistry({
  contentTypes,
  components,
  attributeTypes,
  absentTypes = {},
  privateAttributes = [],
}: RegistryInput): BuiltRegistry {
  const mistakes = new DefinitionMistakes()
  const reading = { mistakes, privateNames: privateAttributes }
  const drafts = draftContentTypes(contentTypes, reading)
  const parts = draftComponents(components, reading)
  checkClashes(drafts, parts)

  const omissions = new Omissions(absentTypes)
  const around: Surroundings = {
    contentTypes: byUid(drafts),
    components: byUid(parts),
    types: attributeTypes,
    absentTypes: new Map(Object.entries(absentTypes)),
    absent: (type, draft, name) => omissions.absent(type, `${draft.uid}.${name}`),
    simplified: (field, type, draft, name) => omissions.simplified(field, type, `${draft.uid}.${name}`),
    emptyZone: (draft, name) => omissions.emptyZone(`${draft.uid}.${name}`),
    uneven: {
      administrative: (draft, name, target) => omissions.administrative(`${draft.uid}.${name}`, target),
      dangling: (draft, name, missing) => omissions.dangling(`${draft.uid}.${name}`, missing),
      crowded: (draft, name, other, winner) => omissions.crowded(`${draft.uid}.${name}`, other, winner),
    },
  }
  const typeAttributes = new Map(drafts.map((draft) => [draft, buildAttributes(draft, around)]))
  const partAttributes = new Map(parts.map((draft) => [draft, buildAttributes(draft, around)]))
  const morphs = new Map<Draft, ReadonlyMap<string, MorphAttribute>>(
    [...drafts, ...parts].map((draft) => [draft, buildMorphs(draft, [...drafts, ...parts])]),
  )
  checkTables(new Map<Draft, ReadonlyMap<string, Attribute>>([...typeAttributes, ...partAttributes]), morphs)
  checkCycles(partAttributes)
  for (const [draft, attributes] of typeAttributes) {
    checkTotals(draft, attributes)
    checkSearch(draft, attributes)
  }
  const indexes = new Map<Draft, readonly ModelIndex[]>(
    [...typeAttributes, ...partAttributes].map(([draft, attributes]) => [
      draft,
      buildIndexes(draft, attributes, id),
    ]),
  )
  mistakes.throwIfAny()

  const registry = new CheckedRegistry(
    [...typeAttributes].map(([draft, attributes]) =>
      contentTypeOf(draft, attributes, indexes.get(draft) ?? [], {
        morphs: morphs.get(draft) ?? new Map(),
        uses: buildUses(draft, typeAttributes, attributeTypes),
      }),
    ),
    [...partAttributes].map(([draft, attributes]) =>
      componentOf(draft, attributes, indexes.get(draft) ?? []),
    ),
  )
  return { registry, warnings: Object.freeze([...omissions.sentences(), ...mistakes.warnings]) }
}

/** The first of each uid: duplicates have been reported. */
const byUid = <D extends Draft>(drafts: readonly D[]): ReadonlyMap<string, D> =>
  new Map(drafts.toReversed().map((draft) => [draft.uid, draft]))

const id: ScalarAttribute = Object.freeze({
  kind: 'scalar',
  name: 'id',
  definition: Object.freeze({ type: idType.name }),
  private: false,
  type: idType,
  column: 'id',
})

const none: Readonly<Record<string, unknown>> = Object.freeze({})

/** The relations of a content-type from and to entries of any content-type. A component has none. */
interface AnyRelations {
  readonly morphs: ReadonlyMap<string, MorphAttribute>
  readonly uses: ReadonlyMap<string, UsesAttribute>
}

const baseOf = (
  { uid, table, definition }: Draft,
  attributes: ReadonlyMap<string, Attribute>,
  indexes: readonly ModelIndex[],
  { morphs, uses }: AnyRelations = { morphs: new Map(), uses: new Map() },
) => ({
  uid,
  table,
  id,
  attributes: frozenMap(attributes),
  columns: frozenMap(rowColumns(id, attributes)),
  morphs: frozenMap(morphs),
  uses: frozenMap(uses),
  indexes: Object.freeze(indexes),
  options: definition.options ?? none,
  pluginOptions: (definition.pluginOptions as Readonly<Record<string, unknown>> | undefined) ?? none,
})

const contentTypeOf = (
  draft: ContentTypeDraft,
  attributes: ReadonlyMap<string, Attribute>,
  indexes: readonly ModelIndex[],
  relations: AnyRelations,
): ContentType =>
  Object.freeze({
    ...baseOf(draft, attributes, indexes, relations),
    kind: draft.kind,
    singularName: draft.singularName,
    pluralName: draft.pluralName,
    displayName: draft.definition.info.displayName ?? draft.singularName,
    definition: draft.definition,
  })

const componentOf = (
  draft: ComponentDraft,
  attributes: ReadonlyMap<string, Attribute>,
  indexes: readonly ModelIndex[],
): Component =>
  Object.freeze({
    ...baseOf(draft, attributes, indexes),
    kind: draft.kind,
    category: draft.category,
    name: draft.name,
    definition: draft.definition,
  })

class CheckedRegistry implements Registry {
  readonly contentTypes: ReadonlyMap<string, ContentType>
  readonly components: ReadonlyMap<string, Component>
  readonly morphTables: readonly string[]
  readonly #routes: ReadonlyMap<string, ContentType>

  constructor(contentTypes: readonly ContentType[], components: readonly Component[]) {
    this.contentTypes = frozenMap(contentTypes.map((type) => [type.uid, type]))
    this.components = frozenMap(components.map((component) => [component.uid, component]))
    this.morphTables = Object.freeze(
      contentTypes.flatMap((type) => [...type.morphs.values()].map(({ table }) => table)),
    )
    // Types of plugins have only the routes of the plugin: /api/upload/files, not /api/files.
    this.#routes = new Map(
      contentTypes
        .filter((type) => type.uid.startsWith('api::'))
        .map((type) => [type.kind === 'singleType' ? type.singularName : type.pluralName, type]),
    )
    Object.freeze(this)
  }

  model(uid: string): Model {
    return this.contentTypes.get(uid) ?? this.component(uid)
  }

  contentType(uid: string): ContentType {
    return this.contentTypes.get(uid) ?? this.#missing('content-type', uid)
  }

  component(uid: string): Component {
    return this.components.get(uid) ?? this.#missing('content-type or component', uid)
  }

  byRoute(name: string): ContentType | undefined {
    return this.#routes.get(name.toLowerCase())
  }

  #missing(what: string, uid: string): never {
    const meant = meantUid(uid, this.contentTypes) ?? meantComponent(uid, this.components.keys())
    throw new Error(`There is no ${what} "${uid}"${hintOf(meant, '.')}`)
  }
}
