import { describe, expect, it, vi } from 'vitest'
import { keysVariable, readKeys, Sealing } from './sealing.ts'

const [one, two] = [1, 2].map((n) =>
  Buffer.from(Array.from({ length: 32 }, (_, i) => (i * 7 + n) % 256)).toString('base64'),
) as [string, string]

describe('Keys', () => {
  it.each(['short', 'a'.repeat(43), Buffer.alloc(32).toString('base64'), `${one}!`, one.slice(4)])(
    'are 32 random bytes, which no message has: not %s',
    (key) => {
      const read = () => readKeys([two, key])
      expect(read).toThrow(/editors\.encryptionKeys: key 2 is not 32 random bytes/)
      expect(read).not.toThrow(key)
    },
  )

  it('are those of the environment, unless the options have some', () => {
    vi.stubEnv(keysVariable, `${one}, ${two}`)
    expect(readKeys(undefined).map((key) => key.toString('base64'))).toEqual([one, two])
    expect(readKeys([two]).map((key) => key.toString('base64'))).toEqual([two])
    vi.unstubAllEnvs()
    expect(readKeys(undefined)).toEqual([])
  })
})

describe('A sealed text', () => {
  const sealing = (...keys: readonly string[]) => new Sealing(readKeys(keys))

  it('is opened with its key, wherever it is in the list', () => {
    const sealed = sealing(one).seal('secret', 'row 1')
    expect(sealed).not.toContain('secret')
    expect(sealing(one).open(sealed, 'row 1')).toEqual({ text: 'secret', isCurrent: true })
    expect(sealing(two, one).open(sealed, 'row 1')).toEqual({ text: 'secret', isCurrent: false })
    expect(sealing(one).seal('secret', 'row 1')).not.toBe(sealed)
  })

  it('is not opened without its key, in another row, or changed', () => {
    const sealed = sealing(one).seal('secret', 'row 1')
    expect(sealing(two).open(sealed, 'row 1')).toBeUndefined()
    expect(sealing().open(sealed, 'row 1')).toBeUndefined()
    expect(sealing(one).open(sealed, 'row 2')).toBeUndefined()
    const [, , bytes = ''] = sealed.split('.')
    for (const at of [0, 20, bytes.length - 2]) {
      const other = bytes[at] === 'A' ? 'B' : 'A'
      const changed = sealed.replace(bytes, bytes.slice(0, at) + other + bytes.slice(at + 1))
      expect([at, sealing(one).open(changed, 'row 1')]).toEqual([at, undefined])
    }
    expect(sealing(one).open(sealed.slice(0, 40), 'row 1')).toBeUndefined()
  })

  it('is the text itself without keys', () => {
    expect(sealing().seal('secret', 'row 1')).toBe('secret')
    expect(sealing().open('secret', 'row 1')).toEqual({ text: 'secret', isCurrent: true })
    expect(sealing(one).open('secret', 'row 1')).toEqual({ text: 'secret', isCurrent: false })
  })
})
