import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LargeRows } from './large-rows.ts'

/** As PostgreSQL sends it: a letter, the length of the rest, and the content. */
function message(letter: string, size: number, fill: number): Buffer {
  const bytes = Buffer.alloc(5 + size, fill)
  bytes.write(letter, 0, 'latin1')
  bytes.writeUInt32BE(4 + size, 1)
  return bytes
}

/** The bytes in chunks of their own memory, as a socket emits them. */
function* chunksOf(bytes: Buffer, sizes: readonly number[]): Generator<Buffer> {
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const end = at + (sizes[i % sizes.length] ?? 1)
    yield Buffer.from(new Uint8Array(bytes.subarray(at, end)).buffer)
    at = end
  }
}

/** The chunks that are passed on, copied: those of large rows are freed. */
function passedOn(chunks: Iterable<Buffer>): readonly Buffer[] {
  const passed: Buffer[] = []
  const rows = new LargeRows((bytes) => passed.push(Buffer.from(bytes)))
  for (const chunk of chunks) rows.add(chunk)
  return passed
}

const large = 300_000

describe('LargeRows', () => {
  it('passes all bytes on in order, however they are cut', () => {
    const anyMessage = fc.record({
      letter: fc.constantFrom('D', 'C', 'd', 'A', 'Z'),
      size: fc.oneof(
        fc.integer({ min: 0, max: 40 }),
        fc.integer({ min: 131_060, max: 131_080 }),
        fc.integer({ min: 0, max: large }),
      ),
    })
    const sizes = fc.array(
      fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1_000, max: 70_000 })),
      {
        minLength: 1,
        maxLength: 5,
      },
    )
    fc.assert(
      fc.property(fc.array(anyMessage, { minLength: 1, maxLength: 6 }), sizes, (messages, cuts) => {
        const sent = Buffer.concat(messages.map(({ letter, size }, i) => message(letter, size, i + 1)))
        // Sizes of a few bytes only would take a chunk for each of a million bytes.
        const passed = passedOn(chunksOf(sent, [...cuts, 40_000]))
        expect(Buffer.concat(passed).equals(sent)).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  it('passes a large row on in one piece, and what is around it at once', () => {
    const before = message('1', 0, 0)
    const row = message('D', large, 7)
    const after = message('C', 12, 0)
    const passed = passedOn(chunksOf(Buffer.concat([before, row, after]), [65_536]))
    expect(passed.map(({ length }) => length)).toEqual([before.length, row.length, after.length])
  })

  it('passes a small row and any other message on as it comes', () => {
    for (const sent of [message('D', 100_000, 7), message('d', large, 7)]) {
      const passed = passedOn(chunksOf(sent, [65_536]))
      expect(passed[0]?.length).toBe(65_536)
    }
  })

  it('frees the row and its chunks without the garbage collection', () => {
    const row = message('D', large, 7)
    const chunks = [...chunksOf(row, [65_536])]
    const passed: Buffer[] = []
    const rows = new LargeRows((bytes) => passed.push(bytes))
    for (const chunk of chunks) rows.add(chunk)
    expect([...passed, ...chunks].map(({ length }) => length)).toEqual([0, 0, 0, 0, 0, 0])
  })

  it('reserves nothing for a length that no row has', () => {
    const wrong = Buffer.from('D\xff\xff\xff\xff wrong', 'latin1')
    expect(Buffer.concat(passedOn([wrong, Buffer.from('more')])).toString('latin1')).toBe(
      'D\xff\xff\xff\xff wrongmore',
    )
  })
})
