import { expect } from 'vitest'
import { expectedTags, forbiddenCells, forbiddenChanges, isPermitted } from './interpreter.ts'
import { bodyOf } from './operations.ts'
import type { Kind, Request } from './request.ts'
import type { Rules } from './rules.ts'
import type { Twin } from './twins.ts'
import { type World, worldOf } from './world.ts'

/** The minimum fraction of successful requests, for each permitted kind. */
const leastAnswered = 0.05

export const worldsOf = (of: readonly Twin[]): Promise<World[]> =>
  Promise.all(of.map(({ octavo }) => worldOf(octavo)))

/** An operation of GraphQL that is refused is a 200 with errors. */
const isAnswered = (status: number, text: string): boolean => status < 300 && !text.startsWith('{"errors"')

/** Sends requests to both twins and compares the answers and the changes with the rules. */
export class Check {
  readonly #twins: readonly Twin[]
  readonly #sent = new Map<Kind, { all: number; answered: number }>()
  #number = 0

  constructor(twins: readonly Twin[]) {
    this.#twins = twins
  }

  /** @returns the data afterwards */
  async send(request: Request, rules: Rules, worlds: readonly World[]): Promise<readonly World[]> {
    const answers = await Promise.all(this.#twins.map((twin) => twin.ask(request)))
    this.#number += 1
    const where = `request ${this.#number}: ${JSON.stringify(request)}\n${answers[0]?.text}`
    expect(answers[1], where).toEqual(answers[0])
    const { status = 0, text = '' } = answers[0] ?? {}
    expect(status, where).toBeLessThan(500)
    const after = request.method === 'GET' ? worlds : await worldsOf(this.#twins)
    for (const [n, before] of worlds.entries())
      inOneWorld(request, rules, { before, now: after[n] ?? before, status, text }, where)
    const count = this.#sent.get(request.kind) ?? { all: 0, answered: 0 }
    this.#sent.set(request.kind, {
      all: count.all + 1,
      answered: count.answered + (isAnswered(status, text) ? 1 : 0),
    })
    return after
  }

  /** A server that refuses every request would pass so far, so some requests of each permitted kind must succeed. */
  requireSome(kinds: readonly Kind[]): void {
    const counts = JSON.stringify(Object.fromEntries(this.#sent))
    if (process.env.OCTAVO_RIGHTS_COUNTS) process.stderr.write(`${counts}\n`)
    for (const kind of kinds) {
      const { all = 0, answered = 0 } = this.#sent.get(kind) ?? {}
      expect(answered, `${kind} in ${counts}`).toBeGreaterThanOrEqual(Math.max(1, all * leastAnswered))
    }
  }
}

/** The actions that may show the entries of an answer. */
function readsOf({ method, path, root }: Request): readonly string[] {
  if (method !== 'GET' || root !== undefined) return ['find', 'findOne', 'me']
  if (/\/users\/me\b/.test(path)) return ['me']
  return [/\/\d+(?:\?|$)/.test(path) ? 'findOne' : 'find']
}

interface Outcome {
  readonly before: World
  readonly now: World
  readonly status: number
  readonly text: string
}

function inOneWorld(request: Request, rules: Rules, outcome: Outcome, where: string): void {
  const { before, now, status, text } = outcome
  if (isPermitted(rules, request, before)) expect(status, where).toBe(200)
  expect(forbiddenChanges(rules, before, now), where).toEqual([])
  const body = (): unknown => (request.root === undefined ? JSON.parse(text) : bodyOf(text, request.root))
  const isPreview = request.path.includes('preview')
  if (request.tagsBy && isAnswered(status, text)) {
    const { data = [] } = (body() ?? {}) as { readonly data?: readonly { readonly id: unknown }[] }
    expect(
      data.map(({ id }) => Number(id)),
      where,
    ).toEqual(expectedTags(rules, request.tagsBy, isPreview, before))
  }
  if (status >= 300 || request.uid === undefined) return
  const shown = {
    uid: request.uid,
    body: body(),
    reads: readsOf(request),
    preview: isPreview || request.path.includes('localizations'),
    world: request.method === 'DELETE' || request.deletes ? before : now,
  }
  expect(forbiddenCells(rules, shown), where).toEqual([])
}
