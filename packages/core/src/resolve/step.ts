import type { Attribute, ComponentAttribute, Model, RelationAttribute } from '../content-type/model.ts'
import { problem } from '../error/problems.ts'
import type { ParamPath } from '../parse/raw.ts'
import type { Condition } from '../plan/plan.ts'
import { unknownAttribute } from './refuse.ts'
import type { Scope } from './scope.ts'

/** The number of steps of a path. */
export interface Trail {
  readonly steps: number
  /** The number of steps to many entries. */
  readonly many: number
}

export const noSteps: Trail = { steps: 0, many: 0 }

export interface PathStep {
  readonly attribute: RelationAttribute | ComponentAttribute
  readonly target: Model
  /** The conditions of plugins on the related entries. */
  readonly within: Condition | undefined
  readonly trail: Trail
}

/**
 * Resolves a step through a relation or component in a filter or a sort.
 * @throws ValidationError when the attribute is not a relation or component, or the path is too long; a target that the
 *   caller may not read is reported as unknown.
 */
export function stepInto(
  attribute: Attribute,
  model: Model,
  use: 'filter' | 'sort',
  at: ParamPath,
  scope: Scope,
  trail: Trail,
): PathStep {
  if (attribute.kind === 'scalar') {
    throw problem('query/not-usable', {
      at,
      attribute: attribute.name,
      reason: 'is a value and has no fields of its own',
    })
  }
  if (attribute.kind === 'computed') {
    const reason =
      attribute.compute.kind === 'sql'
        ? 'is a value and has no fields of its own'
        : 'is computed by a function; filters and sort cannot use it'
    throw problem('query/not-usable', { at, attribute: attribute.name, reason })
  }
  if (attribute.kind === 'zone' || (attribute.kind === 'relation' && !attribute.filterable)) {
    const what = attribute.kind === 'zone' ? 'dynamic zone' : attribute.typeName
    throw problem('query/not-usable', {
      at,
      attribute: attribute.name,
      reason: `is a ${what}; filters and sort cannot go through it`,
    })
  }
  const target = scope.registry.model(attribute.kind === 'relation' ? attribute.target : attribute.component)
  const narrowed = scope.narrow(target, use, attribute)
  if (narrowed === 'forbid') throw unknownAttribute(at, attribute.name, model, use, scope)
  scope.name(target)
  return { attribute, target, within: narrowed, trail: longer(trail, attribute, at, scope) }
}

/** @throws ValidationError `query/path-too-long`, `query/too-many-steps` */
function longer(
  trail: Trail,
  attribute: RelationAttribute | ComponentAttribute,
  at: ParamPath,
  scope: Scope,
): Trail {
  const { pathSteps, manySteps } = scope.limits
  const isMany = attribute.kind === 'component' ? attribute.repeatable : attribute.many
  const steps = trail.steps + 1
  const many = trail.many + (isMany ? 1 : 0)
  if (steps > pathSteps)
    throw problem('query/path-too-long', { at, limit: pathSteps, what: 'relations and components' })
  if (many > manySteps)
    throw problem('query/path-too-long', {
      at,
      limit: manySteps,
      what: 'relations and components with many entries',
    })
  scope.countStep()
  return { steps, many }
}
