/**
 * Stands for `@node-rs/bcrypt` in the behaviour tests (the alias is in `vitest.config.ts`): hashes are of the same library, with
 * the lowest cost that it has in place of 60 ms each, which were a third of the time of a test with users. The unit test of
 * passwords holds the real cost. A file whose subject is the time of a comparison sets `OCTAVO_TEST_BCRYPT` to `slow`.
 */
import { createRequire } from 'node:module'
import type { HashOptions } from '@node-rs/bcrypt'

// Not by `import`, which leads here.
const real = createRequire(import.meta.url)('@node-rs/bcrypt') as typeof import('@node-rs/bcrypt')

export const { compare } = real

export function hash(value: string, options: HashOptions): Promise<string> {
  const isReal = process.env.OCTAVO_TEST_BCRYPT === 'slow'
  return real.hash(value, isReal ? options : ({ ...options, cost: 4 } as HashOptions))
}
