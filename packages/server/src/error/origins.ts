/** The plugin and the route whose handler threw an error, for its line in the log. The error itself stays as it was thrown. */
export interface Origin {
  readonly plugin: string
  readonly route: string
}

const origins = new WeakMap<Error, Origin>()

/** An Error for a thrown value that is not an Error: loggers write the stack of an Error only. */
export const nonError = (value: unknown): Error =>
  new Error(`A value that is no Error was thrown: ${String(value)}`)

/** The routes that have answered a request, by its context. */
const answering = new WeakMap<object, Origin>()

/** Notes the route that answered a request: its answer may fail when it is sent. */
export const noteAnswer = (context: object, origin: Origin): void => void answering.set(context, origin)

export const answerOrigin = (context: object): Origin | undefined => answering.get(context)

/** Runs the work on an answer that a handler made, and notes where an error of it comes from. */
export function forAnswer<T>(context: object, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const origin = answerOrigin(context)
    if (origin && error instanceof Error) origins.set(error, origin)
    throw error
  }
}

/** Runs the handler of a route, and notes where an error of it comes from. */
export async function withOrigin<T>(origin: Origin, work: () => T): Promise<Awaited<T>> {
  try {
    return await work()
  } catch (error) {
    const named = error instanceof Error ? error : nonError(error)
    origins.set(named, origin)
    throw named
  }
}

export const originOf = (error: unknown): Origin | undefined =>
  error instanceof Error ? origins.get(error) : undefined
