import { createHash, createHmac, randomBytes } from 'node:crypto'

/** 256 bits that nobody guesses, as 43 characters that need no escaping in a URL. */
export const makeToken = (): string => randomBytes(32).toString('base64url')

/** What is stored of a token. It has too many bits to be guessed, so a quick hash without salt will do. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** The hash that Strapi 4 stores of an API token. */
export const hashStrapiToken = (token: string, salt: string): string =>
  createHmac('sha512', salt).update(token).digest('hex')
