/**
 * @param message Called with `within <limit> ms` when the work takes longer.
 * @throws Error with this message when the work takes longer; the work itself continues.
 */
export async function withDeadline<T>(
  work: Promise<T>,
  limit: number,
  message: (within: string) => string,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(message(`within ${limit} ms`))), limit)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
