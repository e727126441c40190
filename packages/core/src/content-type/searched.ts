import type { Model, ScalarAttribute } from './model.ts'

/**
 * The attributes of `options.search`, which have a trigram index; `undefined` without this option.
 * The definition was checked: they are texts of the model.
 */
export function searchedAttributes(model: Model): readonly ScalarAttribute[] | undefined {
  const search = model.options.search as { readonly attributes: readonly string[] } | undefined
  if (!search) return undefined
  return search.attributes.flatMap((name) => {
    const attribute = model.attributes.get(name)
    return attribute?.kind === 'scalar' ? [attribute] : []
  })
}
