import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type OperatorClass, operators } from './table.ts'

const page = readFileSync(new URL('../../../../docs/filters.md', import.meta.url), 'utf8')
const compares: Record<OperatorClass, string> = {
  any: 'values',
  ordered: 'order',
  text: 'texts of any value',
  prefix: 'texts of any value but a number',
}

describe('docs/filters.md', () => {
  it('has a row for each operator of the table', () => {
    const rows = [...page.matchAll(/^\| `(\$\w+)` \|.*$/gm)].map(([row]) => row)
    expect(rows).toEqual(
      Object.entries(operators).map(
        ([name, { meaning, on }]) => `| \`${name}\` | ${meaning} | ${compares[on]} |`,
      ),
    )
  })
})
