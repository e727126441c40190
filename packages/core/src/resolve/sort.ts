import { type ComputedAttribute, isComparable, type Model } from '../content-type/model.ts'
import { scoreName } from '../content-type/search/full-text.ts'
import { problem } from '../error/problems.ts'
import type { RawSort } from '../parse/raw.ts'
import type { OrderStep, OrderTerm } from '../plan/plan.ts'
import { unknownAttribute } from './refuse.ts'
import type { Scope } from './scope.ts'
import { noSteps, stepInto } from './step.ts'

/**
 * Looks up the names of `sort`. The result is empty without a sort; otherwise it ends in the id, so that the
 * order is total and pages never overlap.
 *
 * @param score The value of `_score`. Default: there is none.
 * @throws ValidationError for a name that is unknown, hidden from the caller, or not sortable.
 */
export function resolveSort(
  terms: readonly RawSort[],
  model: Model,
  scope: Scope,
  score?: ComputedAttribute,
): readonly OrderTerm[] {
  if (terms.length === 0) return []
  const resolved = terms.map((term) =>
    isScore(term) ? byScore(term, score) : resolveTerm(term, model, scope),
  )
  return [...resolved, byId(model)]
}

const isScore = ({ path }: RawSort): boolean => path.length === 1 && path[0] === scoreName

function byScore({ at, direction }: RawSort, score: ComputedAttribute | undefined): OrderTerm {
  if (score) return { path: [], attribute: score, direction }
  throw problem('query/not-usable', {
    at,
    attribute: scoreName,
    reason:
      'is the rank of what _q finds in a content-type with options.search of mode "fulltext"; send it with such a _q',
  })
}

/** Ascending by id: the default order of a list. */
export const byId = (model: Model): OrderTerm => ({ path: [], attribute: model.id, direction: 'asc' })

function resolveTerm(term: RawSort, root: Model, scope: Scope): OrderTerm {
  const path: OrderStep[] = []
  let model = root
  let here = scope
  let trail = noSteps
  for (const [i, name] of term.path.entries()) {
    const attribute = here.attribute(model, name, 'sort')
    if (!attribute) throw unknownAttribute(term.at, name, model, 'sort', here)
    if (i === term.path.length - 1) {
      if (isComparable(attribute)) return { path, attribute, direction: term.direction }
      throw problem('query/not-usable', {
        at: term.at,
        attribute: name,
        reason:
          attribute.kind === 'computed'
            ? 'is computed by a function, which cannot sort'
            : `is a ${attribute.kind}; sort by one of its fields`,
      })
    }
    const step = stepInto(attribute, model, 'sort', term.at, here, trail)
    path.push({ attribute: step.attribute, target: step.target, within: step.within })
    here = here.into(attribute, model)
    model = step.target
    trail = step.trail
  }
  throw unknownAttribute(term.at, '', root, 'sort', scope)
}
