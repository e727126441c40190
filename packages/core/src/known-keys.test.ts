import { describe, expect, it } from 'vitest'
import { checkOptions, type KeysOf } from './known-keys.ts'
import { accepts } from './option-values.ts'

interface Options {
  readonly name?: string
  readonly limits?: { readonly size?: number }
  readonly make?: () => void
  readonly sizes?: readonly { readonly width: number }[]
  readonly providers?: Readonly<Record<string, { readonly id: string }>>
  readonly cache?: boolean | { readonly time?: number }
  readonly rights?: Readonly<Record<string, readonly (string | { readonly action: string })[]>>
}

const keys = {
  name: true,
  limits: { size: true },
  make: true,
  sizes: accepts.listOf({ width: true }),
  providers: { '*': { id: true } },
  cache: accepts.orObject(accepts.flag, { time: true }),
  rights: { '*': accepts.listOf(accepts.orObject(accepts.text('find'), { action: true })) },
} as const satisfies KeysOf<Options>

const values = {
  mode: accepts.oneOf('read', 'open'),
  strict: accepts.flag,
  path: accepts.text('/api'),
  replicas: accepts.texts('postgres://replica'),
  limits: { size: accepts.wholeNumber(1), rows: accepts.bound },
  bytes: accepts.size,
  middleware: accepts.functions,
  site: accepts.url('https://a.example'),
  origins: accepts.either(accepts.oneOf('*'), accepts.texts('https://a.example')),
}

describe('the known keys of options', () => {
  it('have a row for each option, nested ones too, or do not compile', () => {
    // @ts-expect-error `limits` has no row
    const lacking: KeysOf<Pick<Options, 'name' | 'limits'>> = { name: true }
    // @ts-expect-error `size` has no row
    const nested: KeysOf<Pick<Options, 'limits'>> = { limits: {} }
    // @ts-expect-error `cache` may be a boolean, too
    const narrow: KeysOf<Pick<Options, 'cache'>> = { cache: { time: true } }
    // @ts-expect-error `sizes` is a list
    const single: KeysOf<Pick<Options, 'sizes'>> = { sizes: { width: true } }
    // @ts-expect-error there is no option `nam`
    const other: KeysOf<Pick<Options, 'name'>> = { name: true, nam: true }
    expect([lacking, nested, narrow, single, other]).toHaveLength(5)
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
      'there is no option "somethingElse"; there are name, limits, make, sizes, providers, cache, rights',
    ],
  ])('refuse others: %j', (given, message) => {
    expect(() => checkOptions(given, keys, 'make')).toThrow(`make: ${message}`)
  })

  it.each<[unknown, string]>([
    [{ mode: 'opn' }, 'mode must be "read" or "open", not "opn"'],
    [{ strict: 'yes' }, 'strict must be true or false, not "yes"'],
    [{ path: 5 }, 'path must be text, such as "/api", not 5'],
    [
      { replicas: 'postgres://app:secret@db/site' },
      'replicas must be a list of texts, such as ["postgres://replica"], not "postgres://…@db/site"',
    ],
    [{ replicas: [5] }, 'replicas must be a list of texts, such as ["postgres://replica"], not [5]'],
    [{ limits: { size: '100' } }, 'limits.size must be a whole number from 1, not "100"'],
    [{ limits: { size: 0 } }, 'limits.size must be a whole number from 1, not 0'],
    [{ limits: { size: 1.5 } }, 'limits.size must be a whole number from 1, not 1.5'],
    [{ limits: { size: Number.NaN } }, 'limits.size must be a whole number from 1, not NaN'],
    [{ limits: { rows: -1 } }, 'limits.rows must be a whole number from 0, or Infinity, not -1'],
    [{ bytes: '5mb' }, 'bytes must be a number above 0, not "5mb"'],
    [{ bytes: Number.NaN }, 'bytes must be a number above 0, not NaN'],
    [{ middleware: () => {} }, 'middleware must be a list of functions, not a function'],
    [{ origins: 'a' }, 'origins must be "*", or a list of texts, such as ["https://a.example"], not "a"'],
    [{ limits: 'many' }, 'limits must be an object with size, rows, not a string'],
    [{ limits: null }, 'limits must be an object with size, rows, not null'],
    [{ limits: [{ size: 1 }] }, 'limits must be an object with size, rows, not a list'],
    [{ site: 'example.org' }, 'site must be a URL, such as "https://a.example", not "example.org"'],
    [{ site: 'localhost:1337' }, 'site must be a URL, such as "https://a.example", not "localhost:1337"'],
    [{ strict: null }, 'strict must be true or false, not null'],
    [{ strict: 1, mode: 2 }, 'strict must be true or false, not 1; mode must be "read" or "open", not 2'],
  ])('refuse values that an option does not take: %j', (given, message) => {
    expect(() => checkOptions(given as object, values, 'make')).toThrow(`make: ${message}`)
  })

  it.each<[unknown, string]>([
    [{ sizes: { width: 1 } }, 'sizes must be a list, not an object'],
    [{ sizes: [{ width: 1 }, 2] }, 'sizes.1 must be an object with width, not a number'],
    [{ cache: 'yes' }, 'cache must be true or false, or an object with time, not a string'],
    [{ providers: 'google' }, 'providers must be an object, not a string'],
    [{ rights: { editor: 'find' } }, 'rights.editor must be a list, not a string'],
    [
      { rights: { editor: ['find', 5] } },
      'rights.editor.1 must be text, such as "find", or an object with action, not a number',
    ],
    [
      { rights: { editor: [{ acton: 'find' }] } },
      'there is no option "rights.editor.0.acton"; did you mean "action"?',
    ],
  ])('refuse a value where an object or a list belongs: %j', (given, message) => {
    expect(() => checkOptions(given as object, keys, 'make')).toThrow(`make: ${message}`)
  })

  it('accept the values that options take', () => {
    const given = {
      mode: 'open',
      strict: false,
      path: '',
      replicas: [],
      limits: { size: 1, rows: Number.POSITIVE_INFINITY },
      bytes: 2.5 * 1024,
      middleware: [() => {}],
      site: 'example-app://password',
      origins: '*',
    }
    expect(() => checkOptions(given, values, 'make')).not.toThrow()
    expect(() =>
      checkOptions({ origins: ['https://b.example'], strict: undefined }, values, 'make'),
    ).not.toThrow()
  })

  it('accept an absent option, and each kind of value that a row has', () => {
    const given = {
      nothing: undefined,
      name: null,
      cache: true,
      sizes: [],
      providers: { any: { id: '' } },
      rights: { editor: ['find', { action: 'find' }] },
    }
    expect(() => checkOptions(given, keys, 'make')).not.toThrow()
  })
})
