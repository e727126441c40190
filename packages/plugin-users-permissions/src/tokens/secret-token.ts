import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** 256 random bits as 43 characters that need no escaping in a URL. */
export const makeToken = (): string => randomBytes(32).toString('base64url')

/** The stored hash of a token. A fast hash without salt suffices, since a token has too many bits to be guessed. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** The hash of an API token in Strapi 4. */
export const hashStrapiToken = (token: string, salt: string): string =>
  createHmac('sha512', salt).update(token).digest('hex')

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** The key that only the holder of a token can make: its hash, which is stored, does not give it. */
const keyOf = (token: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', token, '', 'octavo next token', 32))

/** Encrypts a text so that the holder of a token can read it. */
export function seal(text: string, token: string): string {
  const nonce = randomBytes(nonceBytes)
  const encryption = createCipheriv(cipher, keyOf(token), nonce)
  const sealed = Buffer.concat([encryption.update(text, 'utf8'), encryption.final()])
  return Buffer.concat([nonce, encryption.getAuthTag(), sealed]).toString('base64url')
}

/** The text of {@link seal}. @throws Error with another token */
export function unseal(sealed: string, token: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const decryption = createDecipheriv(cipher, keyOf(token), bytes.subarray(0, nonceBytes))
  decryption.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  return `${decryption.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8')}${decryption.final('utf8')}`
}
