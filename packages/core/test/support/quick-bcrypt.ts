/**
 * Stands for `@node-rs/bcrypt` in the behaviour tests (the alias is in `vitest.config.ts`): hashes are of the same library, with
 * the lowest cost that it has in place of 60 ms each, which were a third of the time of a test with users. The unit test of
 * passwords holds the real cost.
 */
import { createRequire } from 'node:module'
import type { HashOptions } from '@node-rs/bcrypt'

// Not by `import`, which leads here.
const real = createRequire(import.meta.url)('@node-rs/bcrypt') as typeof import('@node-rs/bcrypt')

/**
 * The latest hashes and comparisons of this process, each with its cost: `hash 10`, `compare 10`. A test that two requests take equally long
 * compares these in place of times, which depend on the machine. It empties the list before.
 */
export const work: string[] = []

/** Hashes with the cost that was requested for them. */
const requested = new Map<string, number>()
const most = 1_000

function note(entry: string): void {
  if (work.length < most) work.push(entry)
}

export async function hash(value: string, options: HashOptions): Promise<string> {
  const cost = options.cost ?? 10
  note(`hash ${cost}`)
  const hashed = await real.hash(value, { ...options, cost: 4 } as HashOptions)
  if (requested.size > most) requested.clear()
  requested.set(hashed, cost)
  return hashed
}

/** A test sets `compared` to a function that runs after the next comparison of a password, such as another request that changes the password. */
export const next: { compared?: (() => Promise<void>) | undefined } = {}

export async function compare(value: string, hashed: string): Promise<boolean> {
  note(`compare ${requested.get(hashed) ?? Number(hashed.split('$')[2])}`)
  const isSame = await real.compare(value, hashed)
  const { compared } = next
  next.compared = undefined
  await compared?.()
  return isSame
}
