/** The codes of locales: a language, and parts such as a script or a region. */

/** `en`, `pt-BR`, `zh-Hans-CN` */
export const codeForm = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/

/**
 * The mistake in the code of a locale, with the code that is probably meant; `undefined` for a code that may be used. Three-letter codes are
 * checked by their form only: there are thousands of languages, and Node.js has names for some hundred of them.
 *
 *     english → is no code of a language; did you mean "en"?
 *     en_US   → is no code of a language; did you mean "en-US"?
 *     jp      → is no code of a language; did you mean "ja"?
 */
export function codeMistake(code: unknown): string | undefined {
  if (typeof code !== 'string') return 'must be a text such as "pt-BR"'
  const [language = ''] = code.split('-')
  if (codeForm.test(code) && (language.length === 3 || hasName(language))) return undefined
  const meant = meantCode(code)
  return `is no code of a language${meant === undefined ? ', such as "en" or "pt-BR"' : `; did you mean ${JSON.stringify(meant)}?`}`
}

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

const hasName = (language: string): boolean => names.of(language) !== undefined

function meantCode(code: string): string | undefined {
  try {
    const written = new Intl.Locale(code.replaceAll('_', '-'))
    if (written.language.length === 2 && hasName(written.language)) return written.toString()
    // The code of a country, whose main language is meant: `jp`.
    if (/^[a-z]{2}$/i.test(code)) {
      const { language } = new Intl.Locale(`und-${code}`).maximize()
      return hasName(language) ? language : undefined
    }
  } catch {
    // It has another form.
  }
  return twoLetters().find((language) => names.of(language)?.toLowerCase() === code.toLowerCase())
}

const alphabet = [...'abcdefghijklmnopqrstuvwxyz']
const twoLetters = (): readonly string[] =>
  alphabet.flatMap((first) => alphabet.map((second) => first + second))
