/** `1 entry`, `2 entries`: a count with its noun. @param plural Default: the noun with an s. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`
