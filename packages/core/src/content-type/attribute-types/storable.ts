import { InvalidValue } from '../attribute-type.ts'

/**
 * Returns a text that PostgreSQL can store. NUL is invalid in texts, and so is a lone surrogate: in `text` it would
 * silently become U+FFFD, in `jsonb` it is an error of the database.
 *
 * @throws InvalidValue
 */
export function storable(text: string): string {
  if (text.includes('\0')) throw new InvalidValue('text without NUL characters')
  if (!text.isWellFormed()) throw new InvalidValue('well-formed Unicode text')
  return text
}

/** Returns a text unchanged. Numbers are rejected, as in the reference server. @throws InvalidValue */
export function readText(value: unknown): string {
  if (typeof value !== 'string') throw new InvalidValue('text')
  return storable(value)
}
