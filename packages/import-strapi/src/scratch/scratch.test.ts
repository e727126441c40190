import { tmpdir } from 'node:os'
import { afterEach, expect, it, vi } from 'vitest'
import { Scratch } from './scratch.ts'

afterEach(() => vi.unstubAllEnvs())

it.each([
  ['run', (scratch: Scratch) => scratch.run('insert into line values (zeroblob(100000))')],
  ['all', (scratch: Scratch) => scratch.all('insert into line values (zeroblob(100000)) returning 1')],
  [
    'batch',
    (scratch: Scratch) => scratch.batch(() => scratch.run('insert into line values (zeroblob(100000))')),
  ],
])('A full disk is named by its folder: %s', (_, work) => {
  // A limit of SQLite, which is the same error.
  const scratch = new Scratch('pragma max_page_count = 5; create table line (value blob)')
  expect(() => work(scratch)).toThrow(
    /^No space is left for the temporary files in \/.*[^/]\. The environment variable TMPDIR names another place for them\.$/,
  )
  scratch.close()
})

it('A missing folder of temporary files is named, with the variable', () => {
  vi.stubEnv('TMPDIR', '/gone')
  expect(tmpdir()).toBe('/gone')
  expect(() => new Scratch('')).toThrow(
    "Temporary files cannot be written in /gone (ENOENT: no such file or directory, mkdtemp '/gone/octavo-strapi-XXXXXX'). The environment variable TMPDIR names another place for them.",
  )
})
