import { describe, expect, it } from 'vitest'
import { type KeysOf, refuseUnknownKeys } from './known-keys.ts'

interface Options {
  readonly name?: string
  readonly limits?: { readonly size?: number }
  readonly make?: () => void
  readonly sizes?: readonly { readonly width: number }[]
  readonly providers?: Readonly<Record<string, { readonly id: string }>>
  readonly cache?: boolean | { readonly time?: number }
}

const keys = {
  name: true,
  limits: { size: true },
  make: true,
  sizes: { width: true },
  providers: { '*': { id: true } },
  cache: { time: true },
} as const satisfies KeysOf<Options>

describe('the known keys of options', () => {
  it('have a row for each option, nested ones too, or do not compile', () => {
    // @ts-expect-error `limits` has no row
    const lacking: KeysOf<Pick<Options, 'name' | 'limits'>> = { name: true }
    // @ts-expect-error `time` has no row
    const nested: KeysOf<Pick<Options, 'cache'>> = { cache: {} }
    // @ts-expect-error there is no option `nam`
    const other: KeysOf<Pick<Options, 'name'>> = { name: true, nam: true }
    expect([lacking, nested, other]).toHaveLength(3)
  })

  it.each<[object, string]>([
    [{ nam: 'x' }, 'there is no option "nam"; did you mean "name"?'],
    [{ sizes: [{ width: 1 }, { hight: 1 }] }, 'there is no option "sizes.1.hight"; there are width'],
    [{ providers: { mine: { ids: '' } } }, 'there is no option "providers.mine.ids"; did you mean "id"?'],
    [{ cache: { tim: 1 } }, 'there is no option "cache.tim"; did you mean "time"?'],
    [JSON.parse('{ "__proto__": {} }') as object, 'there is no option "__proto__"'],
    [{ time: 1 }, 'there is no option "time"; did you mean "cache.time"?'],
    [{ widht: 1 }, 'there is no option "widht"; did you mean "sizes.width"?'],
    [
      { somethingElse: 1 },
      'there is no option "somethingElse"; there are name, limits, make, sizes, providers, cache',
    ],
  ])('refuse others: %j', (given, message) => {
    expect(() => refuseUnknownKeys(given, keys, 'make')).toThrow(`make: ${message}`)
  })

  it('accept an absent option, and values of any kind', () => {
    const given = { nothing: undefined, cache: true, limits: null, sizes: [], providers: { any: { id: '' } } }
    expect(() => refuseUnknownKeys(given, keys, 'make')).not.toThrow()
  })
})
