import type { LoadedContentTypes } from '@octavo/core'
import { isPlainObject } from '../code/objects.ts'
import type { Finding } from './finding.ts'

/** The types of Strapi's plugins that Octavo's plugins bring. */
const brought: ReadonlySet<string> = new Set([
  'plugin::users-permissions.user',
  'plugin::users-permissions.role',
  'plugin::upload.file',
])

/** The target of a relation to a type that only code of the project or a package brings; `undefined` for any other attribute. */
function foreignTarget(attribute: unknown): string | undefined {
  const target = isPlainObject(attribute) && attribute.type === 'relation' ? attribute.target : undefined
  return typeof target === 'string' && target.startsWith('plugin::') && !brought.has(target)
    ? target
    : undefined
}

/** The definitions without relations to types of plugins that do not run here, which would refuse the whole project. */
export function withoutForeign(loaded: LoadedContentTypes): LoadedContentTypes {
  return {
    ...loaded,
    contentTypes: loaded.contentTypes.map(without),
    components: loaded.components.map(without),
    extensions: loaded.extensions.map(without),
  }
}

function without<D extends { readonly attributes?: object }>(definition: D): D {
  const given = Object.entries(definition.attributes ?? {})
  const kept = given.filter(([, attribute]) => foreignTarget(attribute) === undefined)
  return kept.length === given.length ? definition : { ...definition, attributes: Object.fromEntries(kept) }
}

/** A finding for each of these relations. */
export const foreignRelations = ({
  contentTypes,
  components,
  extensions,
  sources,
}: LoadedContentTypes): readonly Finding[] =>
  [...contentTypes, ...components, ...extensions].flatMap(({ uid = '', attributes = {} }) =>
    Object.entries(attributes).flatMap(([name, attribute]): readonly Finding[] => {
      const target = foreignTarget(attribute)
      if (target === undefined) return []
      const message = `the relation ${name} is left out, since it leads to ${target}, of a plugin that does not run here`
      return [{ kind: 'plugin', file: sources.get(uid) ?? uid, message }]
    }),
  )
