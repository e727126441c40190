import { InvalidValue } from '../attribute-type.ts'

/**
 * The text, if PostgreSQL can hold it. It has no NUL in text, and a lone surrogate is no character: in `text` it would
 * silently become U+FFFD, in `jsonb` it is an error of the database.
 *
 * @throws InvalidValue
 */
export function storable(text: string): string {
  if (text.includes('\0')) throw new InvalidValue('text without NUL characters')
  if (!text.isWellFormed()) throw new InvalidValue('well-formed Unicode text')
  return text
}

/** A text as it is. Numbers are no texts, as in the reference server. @throws InvalidValue */
export function readText(value: unknown): string {
  if (typeof value !== 'string') throw new InvalidValue('text')
  return storable(value)
}
