/** Storage providers of programs without types: a mistake stops the start, and not each upload. */
import { silentLogger } from '@octavo/core'
import { createServer } from '@octavo/server'
import { expect, it } from 'vitest'
import { localDisk, upload } from '../src/index.ts'

const provider = {
  name: 'memory',
  put: async () => {},
  url: (key: string) => `https://cdn.example.org/${key}`,
  open: async () => undefined,
  delete: async () => {},
  async *list() {},
}
const { put: _, ...withoutPut } = provider

it.each<[string, unknown, string]>([
  ['without a method', withoutPut, '"memory" has no function "put"'],
  ['without a name', { ...provider, name: undefined }, 'has no text "name"'],
  ['with a start that is no function', { ...provider, start: true }, '"memory" has a "start"'],
  [
    'with an unknown serving',
    { ...provider, serving: { kind: 'proxy' } },
    '"memory" has an unknown "serving"',
  ],
  ['that is not called', localDisk, 'is a function: pass what it returns'],
  ['that is a promise', Promise.resolve(provider), 'is a promise'],
  ['that is a text', 'local', 'is not an object'],
])('A storage provider %s stops the start', async (_name, given, message) => {
  const plugins = [upload({ provider: given as never })]
  await expect(createServer({ plugins, database: 'memory://', logger: silentLogger })).rejects.toThrow(
    `upload: the provider ${message}`,
  )
})
