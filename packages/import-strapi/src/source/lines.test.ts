import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { LineError, linesOf, maxLineBytes } from './lines.ts'

const mebibyte = 1024 * 1024

/** A stream of chunks that counts what was read of it. */
function counted(chunks: Iterable<Buffer>) {
  const counter = { bytes: 0 }
  const stream = Readable.from(
    (function* () {
      for (const chunk of chunks) {
        counter.bytes += chunk.length
        yield chunk
      }
    })(),
    { highWaterMark: 1 },
  )
  return { counter, stream }
}

const textsOf = async (stream: Readable): Promise<readonly string[]> => {
  const texts: string[] = []
  for await (const batch of linesOf(stream))
    texts.push(...batch.map(({ number, text }) => `${number} ${text}`))
  return texts
}

describe('linesOf', () => {
  it('joins the chunks of a line, counts empty lines, and takes a last line without an end', async () => {
    const { stream } = counted(['{"a"', ':1}\n\n', '{}\n[', ']'].map((text) => Buffer.from(text)))
    expect(await textsOf(stream)).toEqual(['1 {"a":1}', '3 {}', '4 []'])
  })

  it('S-41: reads no more of a line than it may have', async () => {
    const chunk = Buffer.alloc(mebibyte, 'x')
    const { counter, stream } = counted(
      (function* () {
        yield Buffer.from('{}\n')
        for (let i = 0; i < 700; i++) yield chunk
      })(),
    )
    await expect(textsOf(stream)).rejects.toEqual(new LineError(2))
    expect(counter.bytes).toBeLessThan(maxLineBytes + 4 * mebibyte)
  })

  it('S-41: takes a line of the greatest length, whether or not it ends', async () => {
    const longest = Buffer.alloc(maxLineBytes, 'x')
    for (const end of ['', '\n'])
      expect(await textsOf(counted([longest, Buffer.from(end)]).stream)).toHaveLength(1)
    await expect(textsOf(counted([longest, Buffer.from('x\n')]).stream)).rejects.toThrow('line 1 is longer')
  })

  it('takes no bytes of another encoding, also in two chunks', async () => {
    const line = Buffer.from('{"a":"é"}\n')
    const cut = line.indexOf('é') + 1
    expect(await textsOf(counted([line.subarray(0, cut), line.subarray(cut)]).stream)).toEqual([
      '1 {"a":"é"}',
    ])
    const latin = Buffer.from('{"a":"é"}\n', 'latin1')
    await expect(textsOf(counted([line, latin]).stream)).rejects.toThrow('line 2 is not in UTF-8')
  })
})
