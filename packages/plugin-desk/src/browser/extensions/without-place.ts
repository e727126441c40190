/** Extensions that no page will draw, because the site has nothing of the names that they are for. */
import type { Extensions } from './registry.ts'

interface HasAttributes {
  readonly uid: string
  readonly attributes: Readonly<Record<string, { readonly type: string; readonly customField?: unknown }>>
}

/** The content-types and components of the site. */
export interface Drawn {
  readonly types: readonly HasAttributes[]
  readonly components: readonly HasAttributes[]
}

/** A sentence for each definition of a module that has no place: a name may be misspelt, or the module is for another site as well. */
export function withoutPlace(
  { fields = [], cells = [], panels = [], actions = [] }: Partial<Extensions>,
  { types, components }: Drawn,
): readonly string[] {
  const uids = new Set(types.map(({ uid }) => uid))
  const attributes = [...types, ...components].flatMap((one) => Object.values(one.attributes))
  const kinds = new Set<unknown>(attributes.flatMap(({ type, customField }) => [type, customField]))
  const sentence = (name: string, meant: readonly string[], what: string, known: ReadonlySet<unknown>) =>
    meant.some((one) => known.has(one))
      ? []
      : [`${name} is for ${meant.join(', ')}, and this site has no ${what} of that name; it appears nowhere.`]
  return [
    ...[...fields, ...cells].flatMap((one) =>
      sentence(one.name, [one.for].flat(), 'custom field or attribute type', kinds),
    ),
    ...[...panels, ...actions].flatMap((one) =>
      one.types === undefined ? [] : sentence(one.name, one.types, 'content-type', uids),
    ),
  ]
}
