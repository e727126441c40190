import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits as 43 characters that need no escaping in a URL or a cookie. */
export const makeSecret = (): string => randomBytes(32).toString('base64url')

/** 80 random bits in groups that a person can copy: `k3p9-x7wq-m2vd-hz4n`. Only letters and digits that are not confused. */
export const makeRecoveryCode = (): string =>
  [...randomBytes(16)]
    .map((byte) => 'abcdefghjkmnpqrstuvwxyz023456789'[byte % 32])
    .join('')
    .replace(/(.{4})(?=.)/g, '$1-')

/** The stored hash of a secret. A fast hash without salt suffices, since a secret has too many bits to be guessed. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')
