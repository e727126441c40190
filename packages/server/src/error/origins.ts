/** The plugin and the route whose handler threw an error, for its line in the log. The error itself stays as it was thrown. */
export interface Origin {
  readonly plugin: string
  readonly route: string
}

const origins = new WeakMap<Error, Origin>()

/** Runs the handler of a route, and notes where an error of it comes from. */
export async function withOrigin<T>(origin: Origin, work: () => T): Promise<Awaited<T>> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error) origins.set(error, origin)
    throw error
  }
}

export const originOf = (error: unknown): Origin | undefined =>
  error instanceof Error ? origins.get(error) : undefined
