import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { tokens } from './tokens.ts'

it('The look of the report is that of all pages', () => {
  const shared = readFileSync(new URL('../../../server/look/tokens.css', import.meta.url), 'utf8')
  expect(tokens).toBe(shared)
})
