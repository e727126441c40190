import { describe, expect, it } from 'vitest'
import { sanitizedSvg } from './sanitize.ts'

describe('sanitizedSvg', () => {
  const fillOf = async (fill: string) =>
    /fill=(?:"([^"]*)"|'([^']*)')/.exec(await sanitizedSvg(`<svg><rect fill="${fill}"/></svg>`))?.[1]

  it.each(['url(#a)', "url('#a')", 'url( #a )', "URL( '#a' ) none", '#fff'])(
    'leaves %s, which is of the same drawing',
    async (fill) => expect(await fillOf(fill)).toBe(fill),
  )

  it.each(['url(http://evil)', "url('//evil')", 'url(/a#b)', '\\75rl(http://evil)', 'u\\72 l(//evil)'])(
    'removes %s, which leads elsewhere',
    async (fill) => expect(await fillOf(fill)).toBeUndefined(),
  )

  it('S-32: takes no longer for many spaces in an address', { timeout: 20_000 }, async () => {
    expect(await fillOf(`url(${' '.repeat(200_000)}//evil)`)).toBeUndefined()
    expect(await fillOf(`url(${' '.repeat(200_000)}#a)`)).toMatch(/#a/)
  })

  it('S-32: refuses more than 200 elements within each other', async () => {
    const nested = (depth: number) => '<g>'.repeat(depth) + '</g>'.repeat(depth)
    expect(await sanitizedSvg(`<svg>${nested(199)}${nested(199)}</svg>`)).toContain('<g></g>')
    await expect(sanitizedSvg(`<svg>${'<g></x>'.repeat(200)}</svg>`)).rejects.toThrow(
      'An SVG may have at most 200 elements within each other.',
    )
  })
})
