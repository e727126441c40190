/** A queue that was too long for work. */
export interface FullQueue {
  /** Whether only statements like the refused one wait in it, so that others of the content-type may have room: heavy and unknown ones. */
  readonly isNarrow: boolean
  /** Whether it would refuse work of the same kind and caller now. */
  refuses(): boolean
  /** Counts work that was refused without asking for a connection, because of {@link refuses}. */
  noteRefused(): void
}

const queues = new WeakMap<Error, FullQueue>()

export const noteRefusal = (error: Error, queue: FullQueue): void => void queues.set(error, queue)

/** The queue of the database that refused a request when it arrived, by the error of the refusal; `undefined` for errors of other causes. */
export const queueOf = (error: Error): FullQueue | undefined => queues.get(error)

/** Makes an error without a stack, which takes longer than the rest of a refusal. The stack has no information, and there may be thousands of refusals a second. */
export function withoutStack(make: () => Error): Error {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    return make()
  } finally {
    Error.stackTraceLimit = limit
  }
}
