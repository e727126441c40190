import type { OctavoError } from '@octavo/database'
import type { Model } from '../content-type/model.ts'
import { problem } from '../error/problems.ts'
import type { ParamPath } from '../parse/raw.ts'

/** The name of a model in messages: `article`, or `shared.seo`. */
export const nameOf = (model: Model): string => (model.kind === 'component' ? model.uid : model.singularName)

/** The same message for an unknown and for a hidden attribute, so that the error reveals nothing. */
export const unknownAttribute = (at: ParamPath, attribute: string, model: Model): OctavoError =>
  problem('query/unknown-attribute', { at, attribute, type: nameOf(model) })
