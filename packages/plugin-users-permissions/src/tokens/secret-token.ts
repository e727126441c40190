import { createHash, createHmac, randomBytes } from 'node:crypto'

/** 256 random bits as 43 characters that need no escaping in a URL. */
export const makeToken = (): string => randomBytes(32).toString('base64url')

/** The stored hash of a token. A fast hash without salt suffices, since a token has too many bits to be guessed. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** The hash of an API token in Strapi 4. */
export const hashStrapiToken = (token: string, salt: string): string =>
  createHmac('sha512', salt).update(token).digest('hex')
