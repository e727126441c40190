import type { ScalarType } from '../attribute-type.ts'
import { textConstraints, textual } from './text.ts'

/** Characters of an address in SMTP, at most. */
const longest = 254

/**
 * The stored form of the address of an account: compatible forms are equal (NFKC), and case is ignored. Folding a stored form returns it: H with a
 * line below has no form of one character, as its small letter has, which the second NFKC makes.
 */
export const foldEmail = (email: string): string =>
  email.normalize('NFKC').toLowerCase().normalize('NFKC').trim()

/** An email address, `name@host.tld`, stored as given. */
export const email: ScalarType = {
  ...textual,
  name: 'email',
  constraints: (value, definition) => {
    const violations = textConstraints(value, definition, longest)
    return typeof value !== 'string' || isEmail(value) ? violations : [...violations, 'must be a valid email']
  },
}

/**
 * Dot-separated words of the characters that RFC 5322 allows unquoted, or any letter beyond ASCII (RFC 6531); at most 64.
 * One character class and nothing nested, so that it takes linear time on any text; dots are checked separately.
 */
const local = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.\u00A1-\u{10FFFF}-]{1,64}$/u
const label = /^[A-Za-z0-9\u00A1-\u{10FFFF}-]{1,63}$/u

/** Quoted names, comments and address literals are rejected: they are rare, and used to bypass filters. */
export function isEmail(text: string): boolean {
  if (text.length > longest) return false
  const at = text.lastIndexOf('@')
  if (at < 1) return false
  const name = text.slice(0, at)
  const labels = text.slice(at + 1).split('.')
  return (
    local.test(name) &&
    name.split('.').every((word) => word !== '') &&
    labels.length > 1 &&
    labels.every((part) => label.test(part) && !part.startsWith('-') && !part.endsWith('-')) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  )
}
