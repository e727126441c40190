/**
 * The rights of editors as the properties of `rights.spec.ts`, for random roles with attributes, locales and conditions (S-52 to S-55): two
 * databases that differ only in data that the editor may not read give equal answers, and no request below `/desk/api` changes or returns a
 * cell that the rights do not allow.
 *
 * `OCTAVO_RIGHTS_REQUESTS` is the number of requests (default 300, each night 6,000), `OCTAVO_RIGHTS_SEED` the seed of their generator.
 */
import { runs } from '@octavo/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { Check, worldsOf } from './rights/check.ts'
import { hiding, roleRights, updates } from './rights/editor-roles.ts'
import { deskRequestsOf } from './rights/requests.ts'
import { editorRules } from './rights/rules.ts'
import { type DeskTwin, openDeskTwin } from './rights/twins.ts'

const total = Number(process.env.OCTAVO_RIGHTS_REQUESTS ?? runs(300, 6_000))
const seed = Number(process.env.OCTAVO_RIGHTS_SEED ?? 1)
/** The number of requests with the same roles and data. */
const round = 30

describe('an editor with random roles', () => {
  let twins: readonly DeskTwin[] = []
  let check: Check
  beforeAll(async () => {
    twins = [await openDeskTwin(1), await openDeskTwin(2)]
    check = new Check(twins)
  })
  afterAll(() => Promise.all(twins.map((twin) => twin.close())))

  const rounds = fc.sample(roleRights, { numRuns: Math.ceil(total / round), seed })
  it.each(rounds.map((roles, i) => [i + 1, roles] as const))(
    'reads and changes nothing outside of its rights, round %i',
    async (number, roles) => {
      for (const twin of twins) await twin.refill()
      const [ids = []] = await Promise.all(twins.map((twin) => twin.assign(roles)))
      const rules = editorRules(roles.map((rights, n) => ({ id: ids[n] ?? 0, rights })))
      const [first] = await worldsOf(twins)
      if (!first) throw new Error('There is no twin')
      const hidden = hiding(rules, first)
      for (const twin of twins) await twin.run(hidden)
      let worlds: Awaited<ReturnType<typeof check.send>> = await worldsOf(twins)
      const requests = fc.sample(deskRequestsOf(updates(roles)), { numRuns: round, seed: seed + number - 1 })
      for (const request of requests) worlds = await check.send(request, rules, worlds)
    },
  )

  it('gets answers to requests of each kind', () =>
    check.requireSome(['read', 'update', 'delete', 'bulk', 'list', 'publish']))
})
