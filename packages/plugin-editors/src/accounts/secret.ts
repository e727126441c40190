import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits as 43 characters that need no escaping in a URL or a cookie. */
export const makeSecret = (): string => randomBytes(32).toString('base64url')

/** The stored hash of a secret. A fast hash without salt suffices, since a secret has too many bits to be guessed. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')
