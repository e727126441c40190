/** Random requests to the demo as the command line serves it; `pnpm fuzz` sends more. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fuzz } from '../src/fuzz.ts'
import { request } from '../src/requests.ts'

describe('5,000 random requests', () => {
  it('are answered without a 500, errors in the envelope, and leave the server running', async () => {
    const requests = fc.sample(request, { seed: 20_261, numRuns: 5_000 })
    const { faults, isAlive, statuses } = await fuzz(requests, Number.POSITIVE_INFINITY)
    expect(faults).toEqual([])
    expect(isAlive).toBe(true)
    // Enough of them are understood.
    expect(statuses.get(200)).toBeGreaterThan(500)
  })
})
