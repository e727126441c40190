import type { LinkType, SiblingsType } from '../attribute-type.ts'
import type { AttributeDefinition } from '../definition/definition.ts'
import type { Draft } from '../draft/drafts.ts'
import type { RelationAttribute } from '../model.ts'
import type { Surroundings } from './surroundings.ts'

export function link(
  draft: Draft,
  name: string,
  definition: AttributeDefinition,
  type: LinkType,
  { contentTypes }: Surroundings,
): RelationAttribute | undefined {
  const path = ['attributes', name]
  for (const mistake of type.check(definition)) draft.report([...path, ...mistake.path], mistake.message)
  if (!contentTypes.has(type.target)) {
    draft.report(
      [...path, 'type'],
      `the type ${type.name} leads to ${type.target}, and there is no such content-type`,
    )
    return undefined
  }
  return {
    kind: 'relation',
    typeName: type.name,
    name,
    definition,
    private: definition.private === true,
    target: type.target,
    many: type.many(definition),
    exclusive: false,
    inverse: undefined,
    storage: { kind: 'link', table: type.table, target: type.column },
    filterable: type.filterable,
    empty: type.empty,
    part: true,
  }
}

export function siblings(
  draft: Draft,
  name: string,
  definition: AttributeDefinition,
  type: SiblingsType,
): RelationAttribute | undefined {
  if (draft.kind === 'component') {
    draft.report(
      ['attributes', name, 'type'],
      `the type ${type.name} is for content-types: a component has no siblings`,
    )
    return undefined
  }
  return {
    kind: 'relation',
    typeName: type.name,
    name,
    definition,
    private: definition.private === true,
    target: draft.uid,
    many: true,
    exclusive: false,
    inverse: undefined,
    storage: {
      kind: 'siblings',
      column: type.column,
      ...(type.distinct !== undefined && { distinct: type.distinct }),
    },
    filterable: true,
    empty: 'list',
    part: false,
  }
}
