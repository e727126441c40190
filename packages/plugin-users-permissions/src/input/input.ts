import type { Mistake } from '@octavo/core'
import { foldEmail } from '@octavo/core/internal'
import { problem } from '../problems.ts'
import { maxPasswordBytes } from './password.ts'

export type Body = Readonly<Record<string, unknown>>

interface TextRule {
  /** Default true. */
  readonly required?: boolean
  /** Characters, at least. */
  readonly min?: number
  /** Bytes of UTF-8, at most. Default 1,000. */
  readonly maxBytes?: number
  /** Returns the mistake in a text; `undefined` for a valid one. */
  readonly check?: (text: string) => string | undefined
  /** The name of another text that it repeats, and the message where it does not. */
  readonly repeats?: { readonly name: string; readonly message: string }
}

/** Far more than any name or token needs. Longer texts are refused before they are compared. */
const defaultMaxBytes = 1_000

/**
 * Reads texts of a body. An object, a list or a number in place of a text is reported like any other mistake, so that
 * only texts reach a comparison.
 *
 * Not a schema library: the bodies are flat lists of texts, the limits are in bytes, and the messages are those of the
 * reference server, so that each rule would still be written here.
 *
 * @throws ValidationError with every mistake.
 */
export function readTexts<R extends Readonly<Record<string, TextRule>>>(
  body: Body,
  rules: R,
): { readonly [K in keyof R]: R[K] extends { required: false } ? string | undefined : string } {
  const mistakes: Mistake[] = []
  const texts = Object.entries(rules).map(([name, rule]) => {
    const value = Object.hasOwn(body, name) ? body[name] : undefined
    const wrong = mistakeIn(value, rule)
    if (wrong !== undefined) mistakes.push(mistake(name, `${name} ${wrong}`))
    else if (rule.repeats && value !== body[rule.repeats.name])
      mistakes.push(mistake(name, rule.repeats.message))
    return [name, value ?? undefined]
  })
  throwIfAny(mistakes)
  return Object.fromEntries(texts)
}

function mistakeIn(
  value: unknown,
  { required = true, min = 1, maxBytes = defaultMaxBytes, check }: TextRule,
): string | undefined {
  if (value === undefined || value === null || value === '')
    return required ? 'is a required field' : undefined
  if (typeof value !== 'string') return 'must be a text'
  if (value.includes('\0')) return 'must not hold a zero byte'
  if (value.length < min) return `must be at least ${min} characters`
  if (Buffer.byteLength(value) > maxBytes) return `must be at most ${maxBytes} bytes`
  return check?.(value)
}

export const mistake = (name: string, message: string): Mistake => ({
  path: [name],
  message,
  name: 'ValidationError',
})

/** @throws ValidationError when there is any. */
export function throwIfAny(errors: readonly Mistake[]): void {
  if (errors.length > 0) throw problem('body/invalid', { errors }, { details: { errors } })
}

/**
 * Whether a text has the form of an email address: a name, one `@`, and a domain with a dot, without control and invisible characters. With them one
 * mailbox would have several accounts: mail servers leave some of them out.
 */
export const isEmailText = (text: string): boolean =>
  text.length <= 254 &&
  !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(text) &&
  /^[^\s@<>(),;:"[\]\\]{1,64}@[^\s@<>(),;:"[\]\\]+\.[^\s@.<>(),;:"[\]\\]+$/.test(text)

export const emailRule = {
  check: (text: string) => (isEmailText(foldEmail(text)) ? undefined : 'must be a valid email'),
} as const

/** A password that a user chooses. */
export const newPassword = {
  min: 6,
  check: (text: string) =>
    Buffer.byteLength(text) > maxPasswordBytes ? `must be at most ${maxPasswordBytes} bytes` : undefined,
} as const
