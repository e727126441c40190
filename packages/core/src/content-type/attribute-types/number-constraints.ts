import type { Bindable } from '../attribute-type.ts'
import type { AttributeDefinition } from '../definition/definition.ts'

/** `min` and `max`, both inclusive. Digits beyond 2^53 are compared exactly. */
export function numberConstraints(value: Bindable, { min, max }: AttributeDefinition): readonly string[] {
  if (typeof value !== 'number' && typeof value !== 'string') return []
  const violations: string[] = []
  if (isBound(min) && compare(value, min) < 0) violations.push(`must be greater than or equal to ${min}`)
  if (isBound(max) && compare(value, max) > 0) violations.push(`must be less than or equal to ${max}`)
  return violations
}

const isBound = (bound: unknown): bound is number | string =>
  typeof bound === 'number' || typeof bound === 'string'

function compare(a: number | string, b: number | string): number {
  const [x, y] = [exact(a), exact(b)]
  return x < y ? -1 : x > y ? 1 : 0
}

/** Numbers and bigints compare with each other by value. */
const exact = (value: number | string): number | bigint =>
  typeof value === 'string' && /^-?\d+$/.test(value) ? BigInt(value) : Number(value)
