import { describe, expect, it } from 'vitest'
import { refusedKey, sqlState, translateError } from './database-error.ts'

const failure = (code: string | undefined, message = 'x') =>
  Object.assign(new Error(message), code ? { code } : {})
const codeOf = (error: unknown) => (translateError(error, 10) as { code?: string }).code

describe('translateError', () => {
  it.each([
    ['25006', 'database/read-only'],
    ['53100', 'database/full'],
    ['53200', 'database/out-of-resources'],
    ['53400', 'database/out-of-resources'],
    ['53300', 'database/too-many-connections'],
  ])('%s: %s', (state, code) => {
    expect(codeOf(failure(state))).toBe(code)
  })

  it.each(['08006', '57P01', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EAI_AGAIN', 'ENOTFOUND'])(
    '%s: not available',
    (code) => {
      expect(codeOf(failure(code))).toBe('database/unavailable')
    },
  )

  it.each(['Connection terminated unexpectedly', 'timeout exceeded when trying to connect'])(
    '"%s": not available',
    (message) => {
      expect(codeOf(failure(undefined, message))).toBe('database/unavailable')
    },
  )

  it('the code 57014 is a timeout', () => {
    expect(codeOf(failure('57014'))).toBe('database/timeout')
  })

  it.each(['23505', '42P01', '40001', 'ERR_SOMETHING'])('%s is returned unchanged', (code) => {
    const error = failure(code)
    expect(translateError(error, 10)).toBe(error)
  })

  it('a value that is not an error, and an error without a code, are returned unchanged', () => {
    expect(translateError('text', 10)).toBe('text')
    const error = new TypeError('ours')
    expect(translateError(error, 10)).toBe(error)
  })
})

describe('sqlState', () => {
  it('distinguishes the codes of the database from those of the system', () => {
    expect([
      sqlState(failure('42P01')),
      sqlState(failure('EPIPE')),
      sqlState(failure('ENOENT')),
      sqlState(5),
    ]).toEqual(['42P01', undefined, undefined, undefined])
  })
})

describe('refusedKey', () => {
  const keyOf = (detail: string, code = '23505') => refusedKey(Object.assign(failure(code), { detail }))

  it.each([
    ['English', 'Key (slug)=(emma) already exists.'],
    ['German', 'Schlüssel »(slug)=(emma)« existiert bereits.'],
    ['French', 'La clé « (slug)=(emma) » existe déjà.'],
    ['Japanese', 'キー (slug)=(emma) はすでに存在します。'],
    ['Spanish', 'Ya existe la llave (slug)=(emma).'],
  ])('is read from the messages of a server in %s', (_, detail) => {
    expect(keyOf(detail)).toEqual({ columns: ['slug'], values: 'emma' })
  })

  it('has all columns without quotes, and a value with brackets', () => {
    expect(keyOf('Key ("Group", locale)=(a)=(b\n(c), en) already exists.')).toEqual({
      columns: ['Group', 'locale'],
      values: 'a)=(b\n(c), en',
    })
  })

  it('is absent from other errors', () => {
    expect(keyOf('Key (author_id)=(9) is not present in table "authors".', '23503')).toBeUndefined()
    expect(keyOf('')).toBeUndefined()
  })
})
