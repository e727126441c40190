import { type Demand, limitedTransaction, retried, TransactionTime } from '@octavo/database'
import { problem } from '../../error/problems.ts'
import { refusedByDatabase } from '../../execute/refused-writes.ts'
import { needsSteps } from '../../execute/written-reads.ts'
import type { RequestState } from '../../plugin/request-state.ts'
import type { BulkRequest, BulkResult, ReadAnswer, WriteRequest } from '../../requests.ts'
import type { Step } from '../../trace.ts'
import { WriteSession } from './session.ts'
import type { WriteParts } from './write-parts.ts'

/** Writes entries: input, checks, rows, hooks and response in one transaction. */
export class Writer {
  readonly #parts: WriteParts

  constructor(parts: WriteParts) {
    this.#parts = parts
  }

  /** @throws OctavoError; nothing is written then. */
  async write(request: WriteRequest): Promise<ReadAnswer> {
    // An invalid query is rejected before anything is written.
    this.#parts.reads.check({ ...request, kind: 'one', id: request.id ?? 0 })
    const { state, type } = request
    const limit = this.#parts.transactionTime
    const time = new TransactionTime(limit, () => problem('entry/transaction-time', { limit }))
    const demand = { group: type.uid, caller: state.caller }
    const step: Step = { name: 'write', details: { type: type.uid, action: request.action } }
    return this.#parts.trace(step, async () => {
      const as = (mayTry: boolean) => (session: WriteSession) =>
        time.run(() => session.writeAs(request, true, mayTry))
      const tried = await this.transaction(state, as(true), demand, time).catch((error: unknown) => {
        if (error !== needsSteps) throw error
      })
      const answer = tried ?? (await this.transaction(state, as(false), demand, time))
      return (answer as () => ReadAnswer)() // a write step by step has one
    })
  }

  /** @throws OctavoError; nothing is written then. */
  bulk({ time = Number.POSITIVE_INFINITY, state, repeatable, ...request }: BulkRequest): Promise<BulkResult> {
    const limit = new TransactionTime(time, () => problem('entry/bulk-time', { limit: time }))
    const step: Step = { name: 'write', details: { type: request.type.uid, action: 'bulk' } }
    const work = async (session: WriteSession): Promise<BulkResult> => {
      if (!repeatable) return session.bulk(request)
      const text = async () => JSON.stringify(await session.bulk(request))
      const { answer } = await session.once(repeatable, text)
      return JSON.parse(answer) as BulkResult // safe: the key's content is a hash of the request
    }
    const demand = { group: request.type.uid, caller: state.caller, bulk: true }
    return this.#parts.trace(step, () =>
      this.transaction(state, (session) => limit.run(() => work(session)), demand, limit),
    )
  }

  /**
   * Runs writes in one transaction with retries, and notifies plugins after the commit.
   * @param limit Default: none.
   * @throws OctavoError; nothing is written then.
   */
  async transaction<T>(
    state: RequestState,
    work: (session: WriteSession) => Promise<T>,
    demand: Demand = { caller: state.caller },
    limit?: TransactionTime,
  ): Promise<T> {
    const { store, registry, hooks, warn } = this.#parts
    let session: WriteSession | undefined
    const attempted = async (attempt: number): Promise<T> => {
      try {
        return await store.transaction(async (tx) => {
          // Retries are serialised by an advisory lock, since transactions that collided would collide again.
          if (attempt > 1) await tx.lock('retry')
          session = new WriteSession(this.#parts, limit ? limitedTransaction(tx, limit) : tx, state)
          return work(session)
        }, demand)
      } catch (error) {
        throw refusedByDatabase(limit ? limit.errorOf(error) : error, registry, warn)
      }
    }
    const result = await retried(attempted, (error) => session?.uids.areTaken(error) === true)
    for (const event of session?.written ?? []) await hooks.notify('entry:committed', event)
    return result
  }
}
