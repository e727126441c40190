import { OctavoError } from '@octavo/database'
import { describe, expect, it } from 'vitest'
import { cpuTime } from '../../test/support/cpu-time.ts'
import { parse } from '../../test/support/parsed.ts'

/** As many pairs as the limits allow, or a few more. */
const many = (pair: (i: number) => string, length = 2000): string =>
  Array.from({ length }, (_, i) => pair(i))
    .join('&')
    .slice(0, 65_536)

const attacks: Record<string, string> = {
  'a thousand brackets': `filters${'['.repeat(1000)}=1`,
  'a thousand pairs of brackets': `filters${'[]'.repeat(1000)}=1`,
  'a thousand closing brackets': `filters${']'.repeat(1000)}=1`,
  'brackets around brackets': `filters${'['.repeat(20)}${']'.repeat(20)}=1`,
  'high indexes at every level': many((i) => `populate[${i}]${'[999]'.repeat(38)}=1`, 300),
  'indexes and names at every level': many((i) => `filters${'[9]'.repeat(i % 39)}[a]=1`),
  'lists in lists': many((i) => `sort[${i % 999}][${i}]=a`),
  'texts between brackets': many((i) => (i % 2 ? `sort[${i}]=a` : 'sort=b')),
  'a thousand groups': many((i) => `filters[$or][${i}][a][$containsi]=${i}`, 1000),
  'a group in a group': `filters${'[$or][0]'.repeat(19)}[a]=1`,
  'not not not': `filters${'[$not]'.repeat(39)}=1`,
  commas: `sort=${','.repeat(65_000)}`,
  colons: `sort=${':'.repeat(65_000)}`,
  'dots in sort': `sort=${'a.'.repeat(32_000)}a`,
  'dots in populate': `populate=${'a.'.repeat(32_000)}a`,
  'the same deep path again and again': `populate=${`${Array(20).fill('a').join('.')},`.repeat(1600)}`,
  'populate that goes on': `populate${'[a][populate]'.repeat(20)}=*`,
  'on in on': `populate[a]${'[on][b]'.repeat(19)}=true`,
  ampersands: '&'.repeat(65_536),
  'percent signs': '%'.repeat(65_536),
  'equals signs': `filters[${'='.repeat(65_000)}`,
  'half a bracket, then an equals sign': `filters[${'%5D'.repeat(20_000)}=`,
  'spaces in a number': `pagination[page]=${' '.repeat(65_000)}x`,
  digits: `pagination[page]=${'9'.repeat(65_000)}`,
  'too long a text': 'x'.repeat(100_000),
  'too many unknown names': many((i) => `x${i}=1`, 5000),
  'names of Object.prototype':
    'filters[__proto__][constructor][prototype]=1&sort[__proto__]=asc&populate[__proto__][__proto__]=1&fields=__proto__&__proto__[a]=1',
  'zero bytes': 'filters[a]=%00',
  'overlong UTF-8': 'filters[a]=%C0%AF',
  'encoded surrogates': '_q=%ED%A0%80',
  'half a surrogate pair': '_q=\ud83d',
  quotes: `filters[title'";--][$eq]=x' or 1=1;--&sort=id;drop table articles`,
}

describe('hostile input', () => {
  it.each(Object.entries(attacks))('S-20: %s: a query or a 4xx, in linear time', (_name, query) => {
    const time = cpuTime(() => {
      try {
        parse(query)
      } catch (error) {
        expect(error).toBeInstanceOf(OctavoError)
        const { status, message } = error as OctavoError
        expect(status).toBeOneOf([400, 413])
        expect(message.length).toBeLessThan(66_000)
      }
    })
    // Some 10 ms; quadratic time would take seconds.
    expect(time).toBeLessThan(1_000)
  })

  it('does not change Object.prototype', () => {
    const before = Object.getOwnPropertyNames(Object.prototype)
    parse(attacks['names of Object.prototype'] ?? '')
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before)
    expect(({} as Record<string, unknown>).a).toBeUndefined()
  })
})
