/** A provider of a program that no compiler has checked: its errors and wrong results name it, and it has limited time. */
import { ConfigurationError, OctavoError } from '@octavo/core'
import { isObject, kindOf, thrownText } from '@octavo/core/internal'
import { problem } from '../problems.ts'
import type { FileStream, ListedFile, OpenedFile, StorageProvider } from './provider.ts'

/** Milliseconds of a method, and bytes that have to be stored in each further one. Longer than the attempts of `s3()`. */
export interface Patience {
  readonly small: number
  readonly file: number
  readonly leastSpeed: number
}

const usual: Patience = { small: 40_000, file: 90_000, leastSpeed: 32 }

/**
 * Gives a provider whose errors name it. Errors for clients pass. A method that does not end in its time is a 503: some of them are called within
 * transactions, and the embedded database runs nothing else meanwhile.
 */
export function namedProvider(provider: StorageProvider, patience: Patience = usual): StorageProvider {
  const { name, serving } = provider
  const call = new Calls(name)
  let started: Promise<void> | undefined
  // A server starts its storage, and a command with its first use: most use none. The next use tries again after an error.
  const start = (): Promise<void> => {
    started ??= call
      .named('start', () => provider.start?.())
      .catch((error: unknown) => {
        started = undefined
        throw error
      })
    return started
  }
  const inTime = async <T>(
    method: string,
    time: number,
    work: () => T,
    drop?: (late: Awaited<T>) => void,
  ): Promise<Awaited<T>> => {
    // A start may copy the files of an earlier version, so it has no limit.
    await start()
    return call.inTime(method, time, work, drop)
  }
  const small = <T>(method: string, work: () => T, drop?: (late: Awaited<T>) => void) =>
    inTime(method, patience.small, work, drop)
  const each = <T>(method: string, items: Iterable<T> | AsyncIterable<T>) =>
    eachInTime(items, (next) => small(method, next))
  return {
    name,
    ...(provider.incoming !== undefined && { incoming: provider.incoming }),
    start,
    put: (key, file) => {
      const time = patience.file + file.size / patience.leastSpeed
      return inTime('put', time, () => provider.put(key, file))
    },
    url: (key) =>
      call.text(
        'url',
        call.now('url', () => provider.url(key)),
      ),
    async open(key) {
      const close = (late: OpenedFile | undefined): void => void (isOpened(late) && late.stream.destroy())
      const opened = await small('open', () => provider.open(key), close)
      if (opened === undefined || opened === null) return undefined
      if (!isOpened(opened)) throw call.wrong('open', opened, 'a { size, stream } or undefined')
      return { size: opened.size, stream: streamOf(opened.stream, each('open', opened.stream)) }
    },
    delete: (key) => small('delete', () => provider.delete(key)),
    async *list(prefix) {
      await start()
      const files: unknown = call.now('list', () => provider.list(prefix))
      if (!isIterable(files)) throw call.wrong('list', files, 'an asynchronous iterable')
      for await (const file of each('list', files)) {
        if (!isListed(file)) throw call.wrong('list', file, 'files, each { key, size, modified }')
        yield file
      }
    },
    ...(serving && {
      serving:
        serving.kind === 'folder'
          ? serving
          : {
              kind: 'redirect',
              address: async (key, method) =>
                call.text('address', await small('address', () => serving.address(key, method))),
            },
    }),
  }
}

/** The calls of the methods of a provider. */
class Calls {
  readonly #name: string

  constructor(name: string) {
    this.#name = name
  }

  /** The result of a synchronous method. */
  now<T>(method: string, work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw this.#blame(method, error)
    }
  }

  async named<T>(method: string, work: () => T): Promise<Awaited<T>> {
    try {
      return await work()
    } catch (error) {
      throw this.#blame(method, error)
    }
  }

  /**
   * @param drop Gets the result of work that ends too late.
   * @throws OctavoError `upload/storage-unavailable` after this number of milliseconds; later work of the provider has no effect
   */
  async inTime<T>(
    method: string,
    milliseconds: number,
    work: () => T,
    drop?: (late: Awaited<T>) => void,
  ): Promise<Awaited<T>> {
    let timer: NodeJS.Timeout | undefined
    const working = this.named(method, work)
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        if (drop) working.then(drop).catch(() => {}) // its error has no reader any more
        const cause = new Error(
          `The storage "${this.#name}" has not ended ${method} after ${Math.round(milliseconds)} ms`,
        )
        reject(problem('upload/storage-unavailable', {}, { cause }))
      }, milliseconds)
    })
    try {
      return await Promise.race([working, late])
    } finally {
      clearTimeout(timer)
    }
  }

  /** @throws Error for another result than a text */
  text(method: string, result: unknown): string {
    if (typeof result === 'string' && result !== '') return result
    if (result instanceof Promise) result.catch(() => {}) // the error below takes the place of its own
    throw this.wrong(method, result, 'a text that is an address')
  }

  wrong(method: string, result: unknown, expected: string): Error {
    const kind = result === '' ? 'an empty text' : result instanceof Promise ? 'a promise' : kindOf(result)
    return new Error(`The storage "${this.#name}" gave ${kind} in ${method}, not ${expected}`)
  }

  /** An error of another library may have a status, and would be an answer of ours. */
  #blame(method: string, error: unknown): unknown {
    if (error instanceof OctavoError || error instanceof ConfigurationError) return error
    return new Error(`The storage "${this.#name}" failed in ${method}: ${thrownText(error)}`, {
      cause: error,
    })
  }
}

/** Items, each of which has its time. */
async function* eachInTime<T>(
  items: Iterable<T> | AsyncIterable<T>,
  inTime: (next: () => unknown) => Promise<unknown>,
): AsyncGenerator<T> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
  let isOver = false
  try {
    for (;;) {
      const next = (await inTime(() => iterator.next())) as IteratorResult<T> // of the iterator
      isOver = next.done === true
      if (isOver) return
      yield next.value
    }
  } finally {
    // The end of the iterator is not waited for: it would come behind an item that does not come.
    if (!isOver) void Promise.resolve(iterator.return?.()).catch(() => {})
  }
}

function streamOf(stream: FileStream, chunks: AsyncIterable<Uint8Array>): FileStream {
  return {
    destroy: () => stream.destroy(),
    async *[Symbol.asyncIterator]() {
      try {
        yield* chunks
      } finally {
        stream.destroy()
      }
    },
  }
}

const isIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && (Symbol.asyncIterator in value || Symbol.iterator in value)

const isOpened = (value: unknown): value is OpenedFile =>
  isObject(value) &&
  typeof value.size === 'number' &&
  isIterable(value.stream) &&
  'destroy' in value.stream &&
  typeof value.stream.destroy === 'function'

const isListed = (value: unknown): value is ListedFile =>
  isObject(value) &&
  typeof value.key === 'string' &&
  typeof value.size === 'number' &&
  value.modified instanceof Date
