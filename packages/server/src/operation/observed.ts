/** Runs work, and calls `end` when it is done, after `fail` with its error. */
export function observed<T>(work: () => T, end: () => void, fail: (error: unknown) => void = () => {}): T {
  const failed = (error: unknown): void => {
    fail(error)
    end()
  }
  try {
    const result = work()
    if (result instanceof Promise) result.then(end, failed)
    else end()
    return result
  } catch (error) {
    failed(error)
    throw error
  }
}
