/** Addresses of links and pictures in texts. */

const schemes = ['http:', 'https:', 'mailto:', 'tel:', 'sms:', 'ftp:', 'geo:']

/** Browsers drop control characters and outer spaces before they read the scheme. */
const plainOf = (text: string): string =>
  [...text]
    .filter((character) => character > '\u001f' && character !== '\u007f')
    .join('')
    .trim()

/** An address that a link may lead to; `undefined` for `javascript:` and other schemes that nobody needs. */
export function safeAddress(text: string): string | undefined {
  const plain = plainOf(text)
  if (/^[/#?]/.test(plain)) return plain
  if (!URL.canParse(plain)) return undefined
  return schemes.includes(new URL(plain).protocol) ? plain : undefined
}

/** The whole address for a typed one, such as `example.org` or `ada@example.org`. */
export function typedAddress(text: string): string | undefined {
  const plain = plainOf(text)
  if (/^[^\s/@:]+@[^\s/@:]+\.[^\s/@:]+$/.test(plain)) return `mailto:${plain}`
  if (/^[^\s/:?#]+\.[^\s/:?#]{2,}(?::\d+)?(?:[/?#]\S*)?$/.test(plain)) return safeAddress(`https://${plain}`)
  return plain === '' ? undefined : safeAddress(plain)
}

/** The address of a picture that the policy of the pages lets in. */
export function safePicture(url: string): string | undefined {
  const plain = plainOf(url)
  if (plain.startsWith('/') || plain.startsWith('data:image/')) return plain
  if (!URL.canParse(plain)) return undefined
  const { protocol, origin } = new URL(plain)
  return protocol === 'https:' || origin === globalThis.location?.origin ? plain : undefined
}
