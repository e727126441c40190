/** The encoding of a text by its first bytes: UTF-16 with a byte order mark, or UTF-8. */
export function encodingOf([first, second]: Buffer): 'utf-16le' | 'utf-16be' | 'utf-8' {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}
