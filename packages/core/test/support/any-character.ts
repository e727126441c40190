import fc, { type Arbitrary } from 'fast-check'

/** Code points that are halves of a pair, which no text has alone. */
const halves = { first: 0xd800, count: 0x800 }

/**
 * Any character of Unicode. That of fast-check, `unit: 'binary'`, begins with a table of all of them for the way back, which takes a second
 * in each process.
 */
export const anyCharacter: Arbitrary<string> = fc
  .nat({ max: 0x10_ffff - halves.count })
  .map((n) => String.fromCodePoint(n < halves.first ? n : n + halves.count))
