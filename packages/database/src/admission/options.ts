export interface AdmissionOptions {
  /** Connections of the pool. */
  readonly connections: number
  /** Milliseconds of expected wait for a connection above which work is refused. */
  readonly queueTime: number
  /** The greatest expected wait of heavy work, in milliseconds. It may wait four times as long as work of its kind takes, and never less than other work. */
  readonly heavyTime: number
  /** Work that may wait, for each connection. Default 100. */
  readonly waitingPerConnection?: number
  /** Work that may wait however long: in a new queue, and in one that has not been empty for `queueTime`. Default none. */
  readonly unrefused?: { readonly burst: number; readonly standing: number }
  /** Whether the work of the server itself may be refused. Default true. */
  readonly refusesOwn?: boolean
}

/**
 * The expected wait that is allowed in a queue that has not been empty for `queueTime`: so many times as long as its work takes, but neither less nor more
 * than these parts of `queueTime`. A burst may fill the queue. More work than the connections do fills any queue, and then a long one makes every
 * answer late without one answer more, and its requests fill memory.
 */
export const standing = { times: 8, least: 1 / 5, most: 1 / 2 }

/**
 * Work of a pool that waits however slow the database is: a disk that is busy for a second makes the requests of a small site wait, and to refuse some would
 * make none of the others quicker.
 */
export const few = { burst: 32, standing: 16 }
