import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { readResults, withTables } from './results.ts'

const result = { fault: 'a fault', holds: 'it holds', day: '2026-11-23' }
const tally = { times: 2, acknowledged: 12_000, unknown: 3, written: 1, lost: 0, doubled: 0 }
const page = '<!-- ledgers -->\n<!-- /ledgers -->\n<!-- faults -->\n<!-- /faults -->\n'

describe('the tables of docs/reliability.md', () => {
  it('are those of the results', async () => {
    const text = await readFile(new URL('../../../../docs/reliability.md', import.meta.url), 'utf8')
    expect(withTables(text, await readResults())).toBe(text)
  })

  it('have the figures of ledgers with their sums, and other results beside them', () => {
    const text = withTables(page, [
      { ...result, tally },
      { ...result, fault: 'another', tally: { ...tally, lost: 1 }, text: 'FAILED: 1 violations:\nx' },
      { ...result, fault: 'a third', text: '3 times' },
    ])
    expect(text).toContain('| a fault | 2 | 12,000 | 3 (1) | 0 | 0 |\n')
    expect(text).toContain('| FAILED: another | 2 | 12,000 | 3 (1) | 1 | 0 |\n')
    expect(text).toContain('| all 2 | 4 | 24,000 | 6 (2) | 1 | 0 |\n')
    expect(text).toContain('| a third | it holds | 3 times |\n')
  })
})
