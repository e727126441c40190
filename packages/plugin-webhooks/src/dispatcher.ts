import type { Logger, Store } from '@octavo/core'
import type { Settings } from './options.ts'
import { claim, type Delivery, type Outbox, prune, record } from './outbox.ts'
import { send } from './send.ts'

/** Deliveries that one process makes at a time. */
const concurrency = 10
/** Time in milliseconds, beyond the timeout, after which the delivery of a dead process is taken by another one. */
const leaseMargin = 5_000

interface DispatcherParts {
  readonly store: Store
  readonly outbox: Outbox
  readonly settings: Settings
  readonly logger: Logger
}

/** Makes the deliveries of the outbox, together with those of the other processes. */
export class Dispatcher {
  readonly #parts: DispatcherParts
  readonly #running = new Set<Promise<void>>()
  #taking: Promise<void> | undefined
  #isWoken = false
  #isStopped = false
  #timer: NodeJS.Timeout | undefined

  constructor(parts: DispatcherParts) {
    this.#parts = parts
  }

  /** Looks for due deliveries now. Called after each commit, after each delivery and at intervals. */
  wake(): void {
    this.#isWoken = true
    if (this.#taking || this.#isStopped) return
    clearTimeout(this.#timer)
    this.#taking = this.#take().finally(() => {
      this.#taking = undefined
      if (this.#isStopped) return
      if (this.#isWoken) this.wake()
      else this.#timer = setTimeout(() => this.wake(), this.#parts.settings.poll).unref()
    })
  }

  /** Takes no more deliveries, and waits for those that are under way: at most the timeout. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#taking
    await Promise.all(this.#running)
  }

  async #take(): Promise<void> {
    this.#isWoken = false
    const limit = concurrency - this.#running.size
    if (limit <= 0) return // the next delivery that ends wakes it
    const { store, outbox, settings, logger } = this.#parts
    try {
      const names = settings.receivers.map(({ name }) => name)
      const taken = await claim(store, outbox, names, { limit, lease: settings.timeout + leaseMargin })
      for (const delivery of taken) {
        const delivered = this.#deliver(delivery)
        this.#running.add(delivered)
        void delivered.finally(() => {
          this.#running.delete(delivered)
          this.wake()
        })
      }
    } catch (error) {
      logger.error({ err: error }, 'Webhooks: the outbox cannot be read')
    }
  }

  /** Never rejects: without a record, the delivery is due again after its lease. */
  async #deliver(delivery: Delivery): Promise<void> {
    const { store, outbox, settings, logger } = this.#parts
    const { id, webhook, event, attempts } = delivery
    const receiver = settings.receivers.find(({ name }) => name === webhook)
    if (!receiver) return
    try {
      const outcome = await send(receiver, delivery, settings.timeout)
      const isLast = attempts >= settings.attempts
      const wait = Math.min(settings.delay * 2 ** (attempts - 1), settings.maxDelay)
      // A random part, so that the deliveries of an outage do not all return at once.
      await record(store, outbox, delivery, outcome, isLast ? undefined : wait * (0.8 + Math.random() * 0.4))
      if (outcome.error !== undefined)
        logger.warn(
          { delivery: id, webhook, event, attempt: attempts, error: outcome.error },
          isLast ? 'A webhook delivery failed for good' : 'A webhook delivery failed and will be retried',
        )
      await prune(store, outbox, settings.log)
    } catch (error) {
      logger.error({ err: error, delivery: id }, 'Webhooks: a delivery cannot be recorded')
    }
  }
}
