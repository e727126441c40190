/** Maps a list, each item after the one before it is done. */
export async function oneByOne<T, R>(
  items: readonly T[],
  map: (item: T, i: number) => Promise<R>,
): Promise<readonly R[]> {
  const all: R[] = []
  for (const [i, item] of items.entries()) all.push(await map(item, i))
  return all
}
