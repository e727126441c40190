/**
 * Rights as two properties, over random reads and writes of a role (S-01 to S-05, S-22 to S-24):
 * - non-interference (S-36, S-37): two databases that differ only in data that the role may not read give equal responses, byte by byte,
 *   and equal explanations of reads, but for the times
 * - both hold for operations of GraphQL, too
 * - the interpreter in `rights/`: no request changes or returns a cell that the role may not change or read
 *
 * `OCTAVO_RIGHTS_REQUESTS` is the number of requests (default 450, each night 9,000), with a third as many operations of GraphQL, `OCTAVO_RIGHTS_SEED` the seed of their generator.
 */
import { runs } from '@octavo/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { Check, worldsOf } from './rights/check.ts'
import { roles } from './rights/model.ts'
import { operationsOf } from './rights/operations.ts'
import { requestsOf } from './rights/requests.ts'
import { permissionRules } from './rights/rules.ts'
import { openTwin, type Twin } from './rights/twins.ts'
import type { World } from './rights/world.ts'

const total = Number(process.env.OCTAVO_RIGHTS_REQUESTS ?? runs(450, 9_000))
const seed = Number(process.env.OCTAVO_RIGHTS_SEED ?? 1)
/** The number of requests between resets of the data, since deletes reduce it. */
const round = 60

describe.each(Object.entries(roles))('the role "%s"', (_, role) => {
  const numRuns = Math.ceil(total / Object.keys(roles).length)
  const sample = [
    ...fc.sample(requestsOf(role.permissions), { numRuns, seed }),
    ...fc.sample(operationsOf(role.permissions), { numRuns: Math.ceil(numRuns / 3), seed }),
  ]
  let twins: readonly Twin[] = []
  let check: Check
  beforeAll(async () => {
    twins = [await openTwin(role, 1), await openTwin(role, 2)]
    check = new Check(twins)
  })
  afterAll(() => Promise.all(twins.map((twin) => twin.close())))

  const rounds = Array.from({ length: Math.ceil(sample.length / round) }, (_, i) =>
    sample.slice(i * round, (i + 1) * round),
  )
  it.each(rounds.map((requests, i) => [i + 1, requests] as const))(
    'reads and changes nothing outside of its permissions, round %i',
    async (_, requests) => {
      const rules = permissionRules(role.permissions)
      for (const twin of twins) await twin.refill()
      let worlds: readonly World[] = await worldsOf(twins)
      for (const request of requests) worlds = await check.send(request, rules, worlds)
    },
  )

  it('gets answers to requests of each kind that it may send', () => check.requireSome(role.may))
})
