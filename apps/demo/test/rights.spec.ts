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
import { afterEach, describe, expect, it } from 'vitest'
import { expectedTags, forbiddenCells, forbiddenChanges, isPermitted } from './rights/interpreter.ts'
import { roles } from './rights/model.ts'
import { bodyOf, operationsOf } from './rights/operations.ts'
import type { Kind } from './rights/request.ts'
import { requestsOf } from './rights/requests.ts'
import { openTwin, type Twin } from './rights/twins.ts'
import { type World, worldOf } from './rights/world.ts'

const total = Number(process.env.OCTAVO_RIGHTS_REQUESTS ?? runs(450, 9_000))
const seed = Number(process.env.OCTAVO_RIGHTS_SEED ?? 1)
/** The minimum fraction of successful requests, for each permitted kind. */
const leastAnswered = 0.05
/** The number of requests between resets of the data, since deletes reduce it. */
const round = 60

let twins: readonly Twin[] = []
afterEach(async () => {
  for (const twin of twins) await twin.close()
  twins = []
})

describe.each(Object.entries(roles))('the role "%s"', (_, role) => {
  it('reads and changes nothing outside of its permissions', {
    timeout: runs(300_000, 3_600_000),
  }, async () => {
    twins = [await openTwin(role, 1), await openTwin(role, 2)]
    const sent = new Map<Kind, { all: number; answered: number }>()
    let worlds: readonly World[] = []
    const numRuns = Math.ceil(total / Object.keys(roles).length)
    const sample = [
      ...fc.sample(requestsOf(role.permissions), { numRuns, seed }),
      ...fc.sample(operationsOf(role.permissions), { numRuns: Math.ceil(numRuns / 3), seed }),
    ]
    for (const [i, request] of sample.entries()) {
      if (i % round === 0) {
        for (const twin of twins) await twin.refill()
        worlds = await worldsOf(twins)
      }
      const answers = await Promise.all(twins.map((twin) => twin.ask(request)))
      const where = `request ${i + 1}: ${JSON.stringify(request)}\n${answers[0]?.text}`
      expect(answers[1], where).toEqual(answers[0])
      const { status = 0, text = '' } = answers[0] ?? {}
      expect(status, where).toBeLessThan(500)
      const after = request.method === 'GET' ? worlds : await worldsOf(twins)
      for (const [n, before] of worlds.entries()) {
        const now = after[n] ?? before
        if (isPermitted(role.permissions, request, before)) expect(status, where).toBe(200)
        expect(forbiddenChanges(role.permissions, before, now), where).toEqual([])
        const body = (): unknown =>
          request.root === undefined ? JSON.parse(text) : bodyOf(text, request.root)
        if (request.tagsBy && isAnswered(status, text)) {
          const { data = [] } = (body() ?? {}) as { readonly data?: readonly { readonly id: unknown }[] }
          expect(
            data.map(({ id }) => Number(id)),
            where,
          ).toEqual(expectedTags(role.permissions, request.tagsBy, request.path.includes('preview'), before))
        }
        if (status < 300 && request.uid !== undefined) {
          const world = request.method === 'DELETE' || request.deletes ? before : now
          const shown = {
            uid: request.uid,
            body: body(),
            preview: request.path.includes('preview') || request.path.includes('localizations'),
            world,
          }
          expect(forbiddenCells(role.permissions, shown), where).toEqual([])
        }
      }
      worlds = after
      const count = sent.get(request.kind) ?? { all: 0, answered: 0 }
      sent.set(request.kind, {
        all: count.all + 1,
        answered: count.answered + (isAnswered(status, text) ? 1 : 0),
      })
    }
    // A server that refuses every request would pass so far, so some requests of each permitted kind must succeed.
    const counts = JSON.stringify(Object.fromEntries(sent))
    if (process.env.OCTAVO_RIGHTS_COUNTS) process.stderr.write(`${counts}\n`)
    for (const kind of role.may) {
      const { all = 0, answered = 0 } = sent.get(kind) ?? {}
      expect(answered, `${kind} in ${counts}`).toBeGreaterThanOrEqual(Math.max(1, all * leastAnswered))
    }
  })
})

/** An operation of GraphQL that is refused is a 200 with errors. */
const isAnswered = (status: number, text: string): boolean => status < 300 && !text.startsWith('{"errors"')

const worldsOf = (of: readonly Twin[]): Promise<World[]> =>
  Promise.all(of.map(({ octavo }) => worldOf(octavo)))
