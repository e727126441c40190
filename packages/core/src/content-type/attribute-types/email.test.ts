import { expect, it } from 'vitest'
import { cpuTime } from '../../../test/support/cpu-time.ts'
import { isEmail } from './email.ts'

it.each([
  'a@b.co',
  'Contact0@Example.org',
  "o'hara+tag@mail.example.co.uk",
  'jürgen@müller.de',
  'x@xn--mller-kva.de',
  'a.b_c-d@1and1.com',
])('%s is an address', (text) => {
  expect(isEmail(text)).toBe(true)
})

it.each([
  '',
  'nope',
  '@b.co',
  'a@',
  'a@b',
  'a@b..co',
  'a@.co',
  'a@-b.co',
  'a@b-.co',
  '.a@b.co',
  'a.@b.co',
  'a..b@c.co',
  'a b@c.co',
  'a@b c.co',
  'a@b.co\n',
  '"a"@b.co',
  'a@b@c.co',
  'a@127.0.0.1',
  'a,b@c.co',
  '<a@b.co>',
  `${'a'.repeat(65)}@b.co`,
  `a@${'b'.repeat(64)}.co`,
  `a@${'b.'.repeat(130)}co`,
])('%j is not an address', (text) => {
  expect(isEmail(text)).toBe(false)
})

it('The check of an address takes linear time', () => {
  for (const text of ['a'.repeat(1e6), '@'.repeat(1e6), `a@${'a.'.repeat(5e5)}`, `${'.'.repeat(1e6)}@a.co`])
    expect(cpuTime(() => expect(isEmail(text)).toBe(false))).toBeLessThan(1_000)
})
