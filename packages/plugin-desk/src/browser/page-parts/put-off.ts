/** Work that pages do a while later, such as deletions that can be undone for a moment. */
const putOff = new Set<() => Promise<void>>()

/** @param work Does at once what is put off. @returns a function that ends this */
export function putsOff(work: () => Promise<void>): () => void {
  putOff.add(work)
  return () => void putOff.delete(work)
}

/** Does what is put off, as before the session ends in which it is allowed. */
export async function doWhatIsPutOff(): Promise<void> {
  await Promise.all([...putOff].map((work) => work()))
}
