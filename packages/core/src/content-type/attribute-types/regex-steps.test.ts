import { describe, expect, it } from 'vitest'
import { exponentOf } from './regex-steps.ts'

describe('The exponent of a regular expression', () => {
  it.each([
    ['^[A-Z]', 0],
    ['[A-Z]', 1],
    ['^\\d{5}$', 0],
    ['^\\(+\\)$', 1],
    ['^[(+*]+$', 1],
    ['^[a-z]+(?:-[a-z]+)*$', 3],
    ['^(?:[^,]+,)*$', 2],
    ['^(\\d{3}-){2}\\d{4}$', 1],
    ['^([0-9a-f]{3}){1,2}$', 1],
    ['^a|b+$', 2],
    ['\\s+$', 2],
    ['^\\S+@\\S+\\.\\S+$', 3],
  ])('of %s is at most %d', (source, exponent) => {
    expect(() => new RegExp(source)).not.toThrow()
    expect(exponentOf(source)).toBe(exponent)
  })

  it.each([
    '^(a+)+$',
    '^((a+))*$',
    '^(a|aa)*$',
    '^((a|aa))*$',
    '^((?:a?))*$',
    '^(a?)+$',
    '^(.*,)*$',
    '^(-+)*$',
    '^(--+)*$',
    '^(-(-)?a*)*$',
    '^(\\w+\\s?)*$',
    '^(?<n>a+)*$',
    '^(a\\x61+)*$',
    '^(A+a)*$',
    '^(a*)\\1*$',
  ])('of %s is unknown', (source) => {
    expect(() => new RegExp(source)).not.toThrow()
    expect(exponentOf(source)).toBe(Number.POSITIVE_INFINITY)
  })
})
