import { AsyncLocalStorage } from 'node:async_hooks'
import { Admission } from '../admission/admission.ts'
import type { Demand } from '../admission/work.ts'
import type { RunQuery } from '../store/queryable.ts'
import { Round } from './round.ts'

/** Statements and transactions that may wait for the one connection: as many as wait for the default number of connections to a server. */
const longestQueue = 1_000

/** Numbers of statements that wait however slow the machine is: the requests of a page and the fields of an operation arrive together. */
const unrefused = { burst: 100, standing: 32 }

/** Milliseconds of statements in one round of the event loop. */
const longestRound = 5

/** The order of statements and transactions on the one connection, and who is refused when too many wait. */
export class OneConnection {
  readonly #running = new AsyncLocalStorage<{ isOpen: boolean }>()
  readonly #round = new Round(longestRound)
  readonly #admission: Admission

  constructor({
    queueTime,
    connectionTime,
  }: { readonly queueTime: number; readonly connectionTime: number }) {
    this.#admission = new Admission({
      connections: 1,
      queueTime,
      heavyTime: connectionTime,
      waitingPerConnection: longestQueue,
      unrefused,
      refusesOwn: false,
    })
  }

  /**
   * Runs work when its turn has come, in the asynchronous context of its caller.
   * @throws Error inside of a transaction: PGlite would wait for its end, and the transaction for PGlite, for ever.
   */
  async admitted<T>(demand: Demand | undefined, work: () => Promise<T>): Promise<T> {
    if (this.#running.getStore()?.isOpen) throw new Error(insideTransaction)
    return this.#admission.run(async () => {
      await this.#round.pause()
      return work()
    }, demand)
  }

  /** The statements of a transaction, which end rounds as well: signals, timers and other requests do not wait for its end. */
  paced(run: RunQuery): RunQuery {
    return async (text, values) => {
      await this.#round.pause()
      return run(text, values)
    }
  }

  /** Runs the work of a transaction, in whose asynchronous context {@link admitted} is an error until it ends. */
  async inside<T>(work: () => Promise<T>): Promise<T> {
    const scope = { isOpen: true }
    try {
      return await this.#running.run(scope, work)
    } finally {
      scope.isOpen = false
    }
  }
}

const insideTransaction =
  'a statement outside of the running transaction, which the embedded database cannot run meanwhile: it has one connection. ' +
  'In a write hook use `event.entries` in place of octavo.entries and octavo.store, in octavo.transaction the entries of its scope.'
