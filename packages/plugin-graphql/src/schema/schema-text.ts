import type { Octavo } from '@octavo/core'
import {
  accountMutations,
  accountTypes,
  baseTypes,
  namesOf,
  ownNames,
  uploadMutations,
  uploadTypes,
} from './base-types.ts'
import { Definitions } from './definitions.ts'
import { addModel } from './model-types.ts'
import { typeName } from './names.ts'
import { fileUid, type RootField, rootFields, userUid } from './roots.ts'
import { readDisabled, viewOf } from './view.ts'

/** A schema in SDL, and the meaning of its names. */
export interface SchemaText {
  readonly text: string
  /** Root fields that read or write entries: `Query.articles`. */
  readonly roots: ReadonlyMap<string, RootField>
  readonly enums: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** Types of the components of a zone, by the scalar of its input. */
  readonly zones: ReadonlyMap<string, readonly string[]>
  /** Uids of components by their type. */
  readonly components: ReadonlyMap<string, string>
}

/** The name of what is no content-type, in messages. */
const itself = 'GraphQL itself'

/**
 * The schema of all models, and of the operators of plugins in its filters.
 *
 * @param names Of types, operations and attributes that are left out. It needs no library, so that a start can check its names.
 *
 * @throws ConfigurationError for two definitions with one name, and for names that GraphQL cannot write
 */
export function schemaText(
  { registry: whole, operators }: Pick<Octavo, 'registry' | 'operators'>,
  names: readonly string[] = [],
): SchemaText {
  const disabled = readDisabled(names, whole)
  const registry = viewOf(whole, disabled)
  const types = new Definitions()
  const [hasUsers, hasFiles] = [registry.contentTypes.has(userUid), registry.contentTypes.has(fileUid)]
  const fixed = [
    baseTypes(operators),
    ...(hasUsers ? [accountTypes] : []),
    ...(hasFiles ? [uploadTypes] : []),
  ]
  for (const name of [...ownNames, ...fixed.flatMap(namesOf)]) types.add(name, itself, '')
  for (const component of registry.components.values()) addModel(types, component, registry)
  for (const type of registry.contentTypes.values()) addModel(types, type, registry)

  const roots = new Map<string, RootField>()
  if (hasUsers) types.addOperation('Query.me', itself)
  for (const root of rootFields(registry)) {
    const { type, kind } = root.field
    if (disabled.operations.has(`${type.uid}.${kind === 'single' ? 'find' : kind}`)) continue
    types.addOperation(`${root.of}.${root.name}`, type.uid)
    roots.set(`${root.of}.${root.name}`, root)
  }
  const fields = (of: RootField['of']): readonly string[] =>
    [...roots.values()].filter((root) => root.of === of).map(({ text }) => text)
  const query = [...fields('Query'), ...(hasUsers ? ['me: UsersPermissionsMe'] : [])]
  const mutation = [
    ...fields('Mutation'),
    ...(hasFiles ? [uploadMutations] : []),
    ...(hasUsers ? [accountMutations] : []),
  ]
  const text = [...fixed, types.text, rootType('Query', query), rootType('Mutation', mutation)].join('\n\n')
  const components = new Map([...registry.components.values()].map((model) => [typeName(model), model.uid]))
  return { text, roots, enums: types.enums, zones: types.zones, components }
}

/** Without fields as well, so that extensions can add theirs. */
const rootType = (name: RootField['of'], fields: readonly string[]): string =>
  `type ${name}${fields.length > 0 ? ` {\n  ${fields.join('\n  ')}\n}` : ''}`
