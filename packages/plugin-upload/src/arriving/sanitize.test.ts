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
})
