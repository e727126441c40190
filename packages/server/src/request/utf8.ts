/** Texts of bodies, which are in UTF-8. Other bytes would be read as U+FFFD, and their characters lost. */
import { isUtf8 } from 'node:buffer'
import { firstLineOfOtherText } from '@octavo/core/internal'
import { problem } from '../error/problems.ts'

/**
 * @param name The name of the body or a field, as the subject of a message.
 * @throws OctavoError with the line of the first other byte
 */
export function utf8(bytes: Buffer, name: string): string {
  if (isUtf8(bytes)) return bytes.toString()
  const line = firstLineOfOtherText(bytes)
  const message = `${name} is not in UTF-8: line ${line} has a byte that begins no character.`
  throw problem('body/malformed', { message }, { details: { line } })
}

/** The value of a field of a multipart body, or its values. They arrive with one character for each byte. @throws as {@link utf8} */
export function fieldOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((one) => fieldOf(one, name))
  return typeof value === 'string' ? utf8(Buffer.from(value, 'latin1'), `The field "${name}"`) : value
}

/** A name or a value of a form. @throws OctavoError for an escape that is not UTF-8 */
export function unescaped(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch (cause) {
    const message = 'The form has a % that begins no character of UTF-8. The sign itself is written as %25.'
    throw problem('body/malformed', { message }, { cause })
  }
}
