import type { Logger } from '@octavo/core'
import { RepeatedFailure } from '@octavo/core/internal'
import type { Settings } from './options.ts'
import type { Delivery, Outbox } from './outbox.ts'
import type { Receivers } from './receivers.ts'
import { send } from './send.ts'

/** Deliveries to one webhook that a process makes at a time. A slow receiver fills its own slots only. */
const slots = 5
/** Time in milliseconds, beyond the timeout, after which the delivery of a dead process is taken by another one. */
const leaseMargin = 5_000
/** Milliseconds between two looks of a process for queues that are too long, and for deliveries of deleted webhooks. */
const upkeepEvery = 60_000

interface DispatcherParts {
  readonly outbox: Outbox
  readonly settings: Settings
  readonly receivers: Receivers
  readonly logger: Logger
  readonly now: () => Date
  /** Deletes a batch of the deliveries of deleted webhooks, and returns whether there may be more. */
  readonly removeLeft: () => Promise<boolean>
}

/** Makes the deliveries of the outbox, together with those of the other processes. */
export class Dispatcher {
  readonly #outbox: Outbox
  readonly #settings: Settings
  readonly #receivers: Receivers
  readonly #logger: Logger
  readonly #now: () => Date
  readonly #failing: RepeatedFailure
  readonly #removeLeft: () => Promise<boolean>
  /** The deliveries under way, with their webhooks. */
  readonly #running = new Map<Promise<void>, string>()
  #taking: Promise<void> | undefined
  #isWoken = false
  #isStopped = false
  #timer: NodeJS.Timeout | undefined
  #keptUpAt = Number.NEGATIVE_INFINITY
  #upkeep: AsyncGenerator<void> | undefined

  constructor({ outbox, settings, receivers, logger, now, removeLeft }: DispatcherParts) {
    this.#outbox = outbox
    this.#settings = settings
    this.#receivers = receivers
    this.#logger = logger
    this.#now = now
    this.#failing = new RepeatedFailure((fields) =>
      logger.error(fields, 'Webhooks: the outbox cannot be read'),
    )
    this.#removeLeft = removeLeft
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
      else this.#timer = setTimeout(() => this.wake(), this.#settings.poll).unref()
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
    const { timeout } = this.#settings
    const free = new Map([...this.#receivers.all.keys()].map((name) => [name, slots]))
    // A running delivery of a webhook that is gone takes no place.
    const take = (name: string): void => {
      const left = free.get(name)
      if (left !== undefined) free.set(name, left - 1)
    }
    for (const name of this.#running.values()) take(name)
    try {
      await this.#keepUp()
      for (const delivery of await this.#outbox.claim(free, timeout + leaseMargin)) {
        const delivered = this.#deliver(delivery)
        this.#running.set(delivered, delivery.webhook)
        void delivered.finally(() => {
          this.#running.delete(delivered)
          this.wake()
        })
      }
      this.#failing.succeeded()
    } catch (error) {
      this.#failing.failed(error)
    }
  }

  /** One step of the upkeep, so that the deliveries of other webhooks do not wait for all of a large backlog. */
  async #keepUp(): Promise<void> {
    if (!this.#upkeep) {
      if (performance.now() < this.#keptUpAt + upkeepEvery) return
      this.#keptUpAt = performance.now()
      this.#upkeep = this.#upkeepSteps()
    }
    let isOver: boolean | undefined = true
    try {
      isOver = (await this.#upkeep.next()).done
    } finally {
      if (isOver) this.#upkeep = undefined
      else this.#isWoken = true
    }
    // Deliveries that ended meanwhile left it to the upkeep.
    if (isOver) await this.#outbox.prune(this.#settings.log)
  }

  /**
   * Gives up the oldest deliveries of queues that are too long, and deletes finished ones above the number in the log and those that a process wrote
   * for a webhook while it did not know of its deletion.
   */
  async *#upkeepSteps(): AsyncGenerator<void> {
    const { queue, log } = this.#settings
    for await (const ended of this.#outbox.giveUp(queue)) {
      this.#logger.warn(ended, 'The queue of a webhook is full: its oldest deliveries were given up')
      await this.#outbox.prune(log)
      yield
    }
    while (await this.#outbox.prune(log)) yield
    while (await this.#removeLeft()) yield
  }

  /** Never rejects: without a record, the delivery is due again after its lease. */
  async #deliver(delivery: Delivery): Promise<void> {
    const { timeout, delay, maxDelay, log } = this.#settings
    const { id, webhook, event, attempts } = delivery
    const receiver = this.#receivers.all.get(webhook)
    if (!receiver) return
    try {
      const outcome = await send(receiver, delivery, { timeout, now: this.#now() })
      const isLast = attempts >= (receiver.attempts ?? this.#settings.attempts)
      // A random part, so that the deliveries of an outage do not all return at once.
      const wait = Math.min(delay * 2 ** (attempts - 1), maxDelay) * (0.8 + Math.random() * 0.2)
      await this.#outbox.record(delivery, outcome, isLast ? undefined : wait)
      if (outcome.error !== undefined)
        this.#logger.warn(
          { delivery: id, webhook, event, attempt: attempts, error: outcome.error },
          isLast ? 'A webhook delivery failed for good' : 'A webhook delivery failed and will be retried',
        )
      if (!this.#upkeep) await this.#outbox.prune(log)
    } catch (error) {
      this.#logger.error({ err: error, delivery: id }, 'Webhooks: a delivery cannot be recorded')
    }
  }
}
