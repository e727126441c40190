import type { Attribute, ComponentAttribute, Model, RelationAttribute } from '../content-type/model.ts'
import { problem } from '../error/problems.ts'
import type { ParamPath } from '../parse/raw.ts'
import type { Condition } from './plan.ts'
import { unknownAttribute } from './refuse.ts'
import type { Scope } from './scope.ts'

export interface Step {
  readonly attribute: RelationAttribute | ComponentAttribute
  readonly target: Model
  /** What plugins narrow the related entries to. */
  readonly scope: Condition | undefined
}

/**
 * Goes through a relation or component in a filter or a sort.
 * @throws ValidationError when nothing can be looked through it; a target that the caller may not read is as unknown.
 */
export function stepInto(
  attribute: Attribute,
  model: Model,
  use: 'filter' | 'sort',
  at: ParamPath,
  scope: Scope,
): Step {
  if (attribute.kind === 'scalar') {
    throw problem('query/not-usable', {
      at,
      attribute: attribute.name,
      reason: 'is a value and has no fields of its own',
    })
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
  if (narrowed === 'forbid') throw unknownAttribute(at, attribute.name, model)
  return { attribute, target, scope: narrowed }
}
