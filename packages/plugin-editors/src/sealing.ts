import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { ConfigurationError } from '@octavo/core'

const cipher = 'aes-256-gcm'
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/** The variable of the environment that takes the place of the option. */
export const keysVariable = 'OCTAVO_ENCRYPTION_KEYS'

/** A stored text that was opened. */
export interface Opened {
  readonly text: string
  /** Whether it is stored as a new one would be. */
  readonly isCurrent: boolean
}

/** Encrypts secrets that the server must read again. Without keys they are stored as they are. */
export class Sealing {
  /** By the name of the key, the present one first. */
  readonly #keys: ReadonlyMap<string, Buffer>

  constructor(keys: readonly Buffer[]) {
    this.#keys = new Map(keys.map((key) => [nameOf(key), key]))
  }

  /**
   * Encrypts a text with the first key.
   * @param place The row that has it; in another row it cannot be opened.
   */
  seal(text: string, place: string): string {
    const [first] = this.#keys
    if (!first) return text
    const [name, key] = first
    const nonce = randomBytes(nonceBytes)
    const encryption = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(place))
    const sealed = Buffer.concat([encryption.update(text, 'utf8'), encryption.final()])
    return `sealed.${name}.${Buffer.concat([nonce, encryption.getAuthTag(), sealed]).toString('base64url')}`
  }

  /** @returns `undefined` for a text of a key that is missing, and for one that was changed or is of another row */
  open(stored: string, place: string): Opened | undefined {
    const [, name = '', sealed = ''] = /^sealed\.(\w+)\.([\w-]+)$/.exec(stored) ?? []
    if (name === '') return { text: stored, isCurrent: this.#keys.size === 0 }
    const key = this.#keys.get(name)
    if (!key) return undefined
    const bytes = Buffer.from(sealed, 'base64url')
    try {
      const decryption = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      }).setAAD(Buffer.from(place))
      decryption.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
      const text = `${decryption.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8')}${decryption.final('utf8')}`
      return { text, isCurrent: this.#keys.keys().next().value === name }
    } catch {
      return undefined
    }
  }
}

/** Names a key in stored texts, without telling it. */
const nameOf = (key: Buffer): string =>
  createHash('sha256').update('octavo key').update(key).digest('hex').slice(0, 8)

/**
 * Reads keys: 32 bytes each, in base64. The message of an error has no key.
 * @throws ConfigurationError
 */
export function readKeys(given: readonly string[] | undefined): readonly Buffer[] {
  const texts = given ?? (process.env[keysVariable] ?? '').split(/[\s,]+/).filter(Boolean)
  const source = given === undefined ? keysVariable : 'editors.encryptionKeys'
  return texts.map((text, i) => {
    const isBase64 = typeof text === 'string' && /^[A-Za-z0-9+/_-]+={0,2}$/.test(text)
    const key = isBase64 ? Buffer.from(text, 'base64') : Buffer.alloc(0)
    // A text that somebody typed, or a placeholder, has few different bytes (S-44).
    if (key.length === keyBytes && new Set(key).size >= 16) return key
    throw new ConfigurationError(
      `${source}: key ${i + 1} is not 32 random bytes in base64, for example of: openssl rand -base64 32`,
    )
  })
}
