import type { Model } from '../content-type/model.ts'
import type { OctavoError } from '../error/octavo-error.ts'
import { problem } from '../error/problems.ts'
import type { ParamPath } from '../parse/raw.ts'

/** What a model is called in a message: `article`, or `shared.seo`. */
export const nameOf = (model: Model): string => (model.kind === 'component' ? model.uid : model.singularName)

/** The same words whether the attribute does not exist or may not be seen: an error tells nothing. */
export const unknownAttribute = (at: ParamPath, attribute: string, model: Model): OctavoError =>
  problem('query/unknown-attribute', { at, attribute, type: nameOf(model) })
