import type { ModelOptions } from '../definition/definition.ts'
import type { Model, ScalarAttribute } from '../model.ts'

/**
 * The attributes of `options.search` with a trigram index; `undefined` without this option or with `mode: 'fulltext'`.
 * The definition was checked: they are texts of the model.
 */
export function searchedAttributes(model: Model): readonly ScalarAttribute[] | undefined {
  const search = searchOptions(model)
  if (!search || search.mode === 'fulltext') return undefined
  return search.attributes.flatMap((name) => {
    const attribute = model.attributes.get(name)
    return attribute?.kind === 'scalar' ? [attribute] : []
  })
}

/** `options.search` as it was checked. */
export const searchOptions = (model: Model): ModelOptions['search'] => (model.options as ModelOptions).search

/** Whether phrases that the trigram index cannot serve are refused. */
export function refusesShortTerms(model: Model): boolean {
  const search = searchOptions(model)
  return search !== undefined && search.mode !== 'fulltext' && search.shortTerms === 'refuse'
}
