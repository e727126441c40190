import { expect, it } from 'vitest'
import { hslOf, lookOf } from './look.ts'

it.each([
  ['#ff0000', '0, 100%, 50%'],
  ['#00ff00', '120, 100%, 50%'],
  ['#0000ff', '240, 100%, 50%'],
  ['#ffffff', '0, 0%, 100%'],
  ['#2b3a86', '230, 51.4%, 34.7%'],
])('%s is hsl(%s)', (colour, hsl) => {
  expect(hslOf(colour)).toBe(hsl)
})

it('The look names a colour that the tokens lack', () => {
  expect(() => lookOf('--ink: light-dark(#211f1b, #ece9e2);')).toThrow('--sheet')
})
