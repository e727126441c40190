import type { Model } from '@octavo/core/plugin'
import type { LinkRecord } from '../records.ts'

/**
 * The attributes of the right end that a polymorphic link of the left one may belong to, the one that has it first. Strapi names it in
 * the rows of a `morphToMany` that were written from the other side, and never for a `morphToOne`.
 */
export function morphSides(model: Model | undefined, { left, right }: LinkRecord): readonly string[] {
  const names = (model?.morphs.get(left.field)?.sides.get(right.type) ?? []).map(({ name }) => name)
  return right.field !== undefined && names.includes(right.field) ? [right.field] : names
}
