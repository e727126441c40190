import { describe, expect, it } from 'vitest'
import { sanitizedSvg, TooDeep } from './sanitize.ts'

describe('sanitizedSvg', () => {
  const fillOf = (fill: string) =>
    /fill=(?:"([^"]*)"|'([^']*)')/.exec(sanitizedSvg(`<svg><rect fill="${fill}"/></svg>`))?.[1]

  it.each(['url(#a)', "url('#a')", 'url( #a )', "URL( '#a' ) none", '#fff'])(
    'leaves %s, which is of the same drawing',
    (fill) => expect(fillOf(fill)).toBe(fill),
  )

  it.each(['url(http://evil)', "url('//evil')", 'url(/a#b)', '\\75rl(http://evil)', 'u\\72 l(//evil)'])(
    'removes %s, which leads elsewhere',
    (fill) => expect(fillOf(fill)).toBeUndefined(),
  )

  it('S-32: takes no longer for many spaces in an address', { timeout: 20_000 }, () => {
    expect(fillOf(`url(${' '.repeat(200_000)}//evil)`)).toBeUndefined()
    expect(fillOf(`url(${' '.repeat(200_000)}#a)`)).toMatch(/#a/)
  })

  it('S-32: refuses more than 200 elements within each other', () => {
    const nested = (depth: number) => '<g>'.repeat(depth) + '</g>'.repeat(depth)
    expect(sanitizedSvg(`<svg>${nested(199)}${nested(199)}</svg>`)).toContain('<g></g>')
    expect(() => sanitizedSvg(`<svg>${'<g></x>'.repeat(200)}</svg>`)).toThrow(TooDeep)
  })
})
