import type { Logger, Store } from '@octavo/core'
import type { Settings } from './options.ts'
import { claim, type Delivery, type Outbox, prune, record } from './outbox.ts'
import { send } from './send.ts'

/** Deliveries to one webhook that a process makes at a time. A slow receiver fills its own slots only. */
const slots = 5
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
  /** The deliveries under way, with their webhooks. */
  readonly #running = new Map<Promise<void>, string>()
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
    await Promise.all(this.#running.keys())
  }

  async #take(): Promise<void> {
    this.#isWoken = false
    const { store, outbox, settings, logger } = this.#parts
    const free = new Map([...settings.receivers.keys()].map((name) => [name, slots]))
    for (const name of this.#running.values()) free.set(name, (free.get(name) ?? 0) - 1)
    try {
      for (const delivery of await claim(store, outbox, free, settings.timeout + leaseMargin)) {
        const delivered = this.#deliver(delivery)
        this.#running.set(delivered, delivery.webhook)
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
    const receiver = settings.receivers.get(webhook)
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
