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
