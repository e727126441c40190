import { expect, it } from 'vitest'
import { namedProvider } from './named-provider.ts'
import type { StorageProvider } from './provider.ts'

const never = <T>() => new Promise<T>(() => {})

const hanging: StorageProvider = {
  name: 'away',
  put: () => never(),
  url: (key) => key,
  open: async () => ({
    size: 3,
    stream: {
      destroy: () => {},
      async *[Symbol.asyncIterator]() {
        yield await never<Uint8Array>()
      },
    },
  }),
  delete: () => never(),
  async *list() {
    yield await never()
  },
  serving: { kind: 'redirect', address: () => never() },
}
const provider = namedProvider(hanging, { small: 20, file: 20, leastSpeed: 32 })

const drained = async (items: AsyncIterable<unknown>): Promise<void> => {
  for await (const _ of items) throw new Error('an item came')
}

it.each<[string, string, () => Promise<unknown>]>([
  ['put', 'put', () => provider.put('a.txt', { path: '/a', mime: 'text/plain', size: 3 })],
  ['delete', 'delete', () => provider.delete('a.txt')],
  ['the next file of list', 'list', () => drained(provider.list(''))],
  [
    'the next bytes of a file',
    'open',
    async () => {
      const opened = await provider.open('a.txt')
      if (opened) await drained(opened.stream)
    },
  ],
  [
    'an address',
    'address',
    async () => provider.serving?.kind === 'redirect' && provider.serving.address('a.txt', 'GET'),
  ],
])('A storage that never ends %s is a 503 that names it', async (_, method, work) => {
  await expect(work()).rejects.toMatchObject({
    status: 503,
    code: 'upload/storage-unavailable',
    cause: { message: expect.stringContaining(`The storage "away" has not ended ${method} after`) },
  })
})

it('A file that a storage opens too late is closed', async () => {
  const [opens, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const stream = { destroy: () => closed.resolve(), async *[Symbol.asyncIterator]() {} }
  const slow = { ...hanging, open: () => opens.promise.then(() => ({ size: 3, stream })) }
  const opening = namedProvider(slow, { small: 20, file: 20, leastSpeed: 32 }).open('a.txt')
  await expect(opening).rejects.toMatchObject({ code: 'upload/storage-unavailable' })
  opens.resolve()
  await closed.promise
})
