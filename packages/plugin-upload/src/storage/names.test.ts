import { runs } from '@octavo/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { extensionOf, makeHash, readName } from './names.ts'

/** Any character, and halves of a pair as well. */
const anyUnit = fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code))

const anyName = fc.oneof(
  fc.string({ unit: anyUnit, maxLength: 300 }),
  fc.string({ unit: fc.constantFrom('.', '/', '\\', 'a', ':', '\0', 'ß', '_', '%', ' '), maxLength: 30 }),
)

describe('Names of files', () => {
  it('are refused, or are such that no file system takes them for a path', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        let read: string
        try {
          read = readName(name)
        } catch (error) {
          expect(error).toMatchObject({ status: 400, code: 'upload/bad-name' })
          return
        }
        expect(read).not.toMatch(/[/\\:*?"<>|\0]|^\.*$/)
        expect(Buffer.byteLength(read)).toBeLessThanOrEqual(255)
      }),
      { numRuns: runs(1_500, 50_000) },
    )
  })

  it('give keys of letters, digits, dots and hyphens', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        expect(`thumbnail_${makeHash(name, extensionOf(name))}${extensionOf(name)}`).toMatch(
          /^[A-Za-z0-9_-]{1,240}(\.[a-z0-9]{1,16})?$/,
        )
      }),
      { numRuns: runs(1_500, 50_000) },
    )
  })

  it('leave a hash readable', () => {
    expect(makeHash('hello world.txt', '.txt')).toMatch(/^hello_world_[0-9a-f]{10}$/)
    expect(makeHash('Dot', '')).toMatch(/^Dot_[0-9a-f]{10}$/)
    expect(makeHash('灯台.txt', '.txt')).toMatch(/^_[0-9a-f]{10}$/)
    expect(makeHash('report.txt', '.pdf')).toMatch(/^report_txt_[0-9a-f]{10}$/)
  })
})
