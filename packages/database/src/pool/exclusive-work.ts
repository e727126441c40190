import { AsyncLocalStorage } from 'node:async_hooks'
import { lockNumber } from '../store/queryable.ts'
import type { Store } from '../store/store.ts'
import { Turns } from './turns.ts'

/**
 * Pieces of work with different names that run at once in a process; each has a connection of its own, which holds the lock of the name. Further
 * ones wait, so that they use up the connections of the server no more than its pool does.
 */
const mostAtOnce = 4

/** Runs the pieces of work of one name one after the other, over all processes of a database. */
export class ExclusiveWork {
  readonly #session: Store['session']
  readonly #places = new Turns(mostAtOnce)
  /** The end of the last piece of work of each name in this process. */
  readonly #ends = new Map<string, Promise<void>>()
  /** The names whose work the running code belongs to. */
  readonly #running = new AsyncLocalStorage<ReadonlySet<string>>()

  constructor(session: Store['session']) {
    this.#session = session
  }

  run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const around = this.#running.getStore()
    // Work of the name that it belongs to would wait for itself.
    if (around?.has(name)) return work()
    const before = this.#ends.get(name) ?? Promise.resolve()
    const locked = () => this.#locked(name, work)
    // Work that has a place and waits for another one could wait for ever: all places may be taken by such work.
    const result = before.then(() => (around?.size ? locked() : this.#places.take(locked)))
    const end = result.then(ignored, ignored).then(() => {
      if (this.#ends.get(name) === end) this.#ends.delete(name)
    })
    this.#ends.set(name, end)
    return result
  }

  #locked<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.#session(async (run) => {
      await run(`select pg_advisory_lock(${lockNumber(name)})`)
      const names = new Set(this.#running.getStore()).add(name)
      try {
        return await this.#running.run(names, work)
      } finally {
        // Code that the work has left behind waits for its turn from now on.
        names.delete(name)
        // The lock ends with its connection. The connection of the embedded engine stays open.
        await run(`select pg_advisory_unlock(${lockNumber(name)})`).catch(ignored)
      }
    })
  }
}

const ignored = (): void => {}
