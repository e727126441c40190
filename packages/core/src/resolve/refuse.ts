import type { OctavoError } from '@octavo/database'
import type { Model } from '../content-type/model.ts'
import { didYouMean } from '../content-type/nearest.ts'
import { problem } from '../error/problems.ts'
import type { NodeView } from '../hooks/read-hooks.ts'
import type { ParamPath } from '../parse/raw.ts'
import type { Scope } from './scope.ts'

/** The name of a model in messages: `article`, or `shared.seo`. */
export const nameOf = (model: Model): string => (model.kind === 'component' ? model.uid : model.singularName)

/**
 * Refuses an unknown and a hidden attribute with one message, so that the error reveals nothing. The hint is one of the names that
 * the caller may use there.
 */
export const unknownAttribute = (
  at: ParamPath,
  attribute: string,
  model: Model,
  use: NodeView['use'],
  scope: Scope,
): OctavoError =>
  problem('query/unknown-attribute', {
    at,
    attribute,
    type: nameOf(model),
    hint: didYouMean(attribute, ['id', ...scope.usable(model, use).map(({ name }) => name)], '.'),
  })

/** Refuses a name at a place that populates nothing. */
export const nothingToPopulate = (at: ParamPath, name: string, known: readonly string[]): OctavoError =>
  problem('query/nothing-to-populate', { at, name, hint: didYouMean(name, known) })
