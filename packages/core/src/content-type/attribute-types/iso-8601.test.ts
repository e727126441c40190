import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cpuTime } from '../../../test/support/cpu-time.ts'
import { readDate, readInstant, readTime } from './iso-8601.ts'

const iso = (text: string): string | undefined => {
  const instant = readInstant(text)
  return instant === undefined ? undefined : new Date(instant).toISOString()
}

describe('a timestamp', () => {
  it.each([
    ['2024', '2024-01-01T00:00:00.000Z'],
    ['2024-02', '2024-02-01T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['20240229', '2024-02-29T00:00:00.000Z'],
    ['2024-060', '2024-02-29T00:00:00.000Z'],
    ['2024-366', '2024-12-31T00:00:00.000Z'],
    ['2024-W09-4', '2024-02-29T00:00:00.000Z'],
    ['2024W094', '2024-02-29T00:00:00.000Z'],
    ['2020-W53', '2020-12-28T00:00:00.000Z'],
    ['2021-W01-1', '2021-01-04T00:00:00.000Z'],
    ['2019-W01-1', '2018-12-31T00:00:00.000Z'],
    ['2024-02-29T10', '2024-02-29T10:00:00.000Z'],
    ['2024-02-29T10:30', '2024-02-29T10:30:00.000Z'],
    ['2024-02-29 10:30:05', '2024-02-29T10:30:05.000Z'],
    ['2024-02-29T10:30:05.5Z', '2024-02-29T10:30:05.500Z'],
    ['2024-02-29T10:30:05,123456789z', '2024-02-29T10:30:05.123Z'],
    ['2024-02-29T23:59:59.9999Z', '2024-02-29T23:59:59.999Z'],
    ['20240229T103005Z', '2024-02-29T10:30:05.000Z'],
    ['20240229T1030+0200', '2024-02-29T08:30:00.000Z'],
    ['2024-02-29T10:30:05+02:00', '2024-02-29T08:30:05.000Z'],
    // `+02:00` in a query string without encoding.
    ['2024-02-29T10:30:05 02:00', '2024-02-29T08:30:05.000Z'],
    ['2024-02-29T22:00:00-05', '2024-03-01T03:00:00.000Z'],
    ['2024-02-29T24:00:00', '2024-03-01T00:00:00.000Z'],
    ['0050-01-01', '0050-01-01T00:00:00.000Z'],
    ['0', '1970-01-01T00:00:00.000Z'],
    ['-1000', '1969-12-31T23:59:59.000Z'],
    ['1700000000000', '2023-11-14T22:13:20.000Z'],
    ['253402300799999', '9999-12-31T23:59:59.999Z'],
  ])('%s is %s', (text, expected) => {
    expect(iso(text)).toBe(expected)
  })

  it.each([
    '',
    'garbage',
    '2023-02-29',
    '2024-02-30',
    '2024-04-31',
    '2024-13-01',
    '2024-00-10',
    '2024-01-00',
    '20240230',
    '2023-366',
    '2024-000',
    '2021-W53',
    '2024-W00',
    '2024-W09-8',
    '0000-01-01',
    '24-01-01',
    '2024-1-1',
    '2024/01/01',
    '01.02.2024',
    'Feb 29 2024',
    '2024-02-29T',
    '2024-02-29T24:00:01',
    '2024-02-29T25:00',
    '2024-02-29T10:60',
    '2024-02-29T10:30:60',
    '2024-02-29T10:3005',
    '2024-02-29T10:30:05.',
    '2024-02-29T10:30:05.1234567890',
    '2024-02-29T10:30:05+24:00',
    '2024-02-29T10:30:05+02:60',
    '2024-02-29T10:30:05 UTC',
    '2024-02-29T10:30:05Zx',
    '253402300800000',
    '99999999999999999999',
    '1e3',
    '+2024-01-01',
    '2024-01-01\n',
  ])('%j is not a timestamp', (text) => {
    expect(readInstant(text)).toBeUndefined()
  })

  it('parses the output of toISOString', () => {
    fc.assert(
      fc.property(
        fc.date({
          min: new Date('0001-01-01T00:00:00Z'),
          max: new Date('9999-12-31T23:59:59.999Z'),
          noInvalidDate: true,
        }),
        (date) => {
          expect(readInstant(date.toISOString())).toBe(date.getTime())
        },
      ),
    )
  })

  it('accepts exactly the days of the calendar', () => {
    const two = (n: number): string => String(n).padStart(2, '0')
    for (const year of [1900, 2000, 2023, 2024]) {
      const days = Array.from({ length: 14 * 33 }, (_, i) => [Math.floor(i / 33), i % 33] as const)
        .map(([month, day]) => `${year}-${two(month)}-${two(day)}`)
        .filter((day) => readDate(day) !== undefined)
      expect(days).toHaveLength(year === 2000 || year === 2024 ? 366 : 365)
    }
  })

  it('takes linear time', () => {
    for (const text of [
      '0'.repeat(1e6),
      `2024-01-01T${'1'.repeat(1e6)}`,
      ' '.repeat(1e6),
      '2024-'.repeat(2e5),
    ]) {
      expect(cpuTime(() => expect(readInstant(text)).toBeUndefined())).toBeLessThan(1_000)
    }
  })
})

describe('a date', () => {
  it.each([
    ['2019-08-08', '2019-08-08'],
    ['2019-08-08T10:00:00Z', '2019-08-08'],
    ['2019-08-08 10:00', '2019-08-08'],
    // Not converted to UTC: the date in the given zone.
    ['2019-08-08T23:30:00-05:00', '2019-08-08'],
  ])('%s is %s', (text, expected) => {
    expect(readDate(text)).toBe(expected)
  })

  it.each([
    '',
    '2020-02-30',
    '2019',
    '2019-08',
    '20190808',
    '2019-W32-4',
    '2019-08-08x',
    '2019-08-08T',
    '2019-08-08T99:00',
  ])('%j is not a date', (text) => {
    expect(readDate(text)).toBeUndefined()
  })
})

describe('a time', () => {
  it.each([
    ['00:00:00', '00:00:00'],
    ['23:59:59', '23:59:59'],
    ['01:13:00.25', '01:13:00.25'],
    ['23:59:59.9999', '23:59:59.999'],
  ])('%s is %s', (text, expected) => {
    expect(readTime(text)).toBe(expected)
  })

  it.each([
    '',
    '12:00',
    '9:00',
    '9:00:00',
    '24:00:00',
    '12:60:00',
    '12:00:60',
    '99:99',
    '12:00:00.',
    '12:00:00,5',
    '12:00:00Z',
  ])('%j is not a time', (text) => {
    expect(readTime(text)).toBeUndefined()
  })
})
