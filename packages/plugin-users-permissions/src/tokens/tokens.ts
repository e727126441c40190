import { isId, readId } from '@octavo/core'
import { type CryptoKey, importPKCS8, importSPKI, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import type { JwtOptions } from '../options.ts'

/** What a token says: who, and in which version of their tokens. */
export interface Claims {
  readonly id: number
  readonly version: number
  /** The login that it belongs to, where logins can be ended one by one: the family of its refresh tokens. */
  readonly session?: string
}

/** 30 days, in seconds. */
const defaultExpiry = 2_592_000

/** Names that this server's tokens carry, so that no other use of the same secret makes one. */
const issuer = 'octavo'

/** Tokens whose signature was checked lately. */
const checkedTokens = 10_000

/** Makes and checks the tokens of users. */
export class Tokens {
  readonly #algorithm: string
  readonly #sign: CryptoKey | Uint8Array
  readonly #verify: CryptoKey | Uint8Array
  readonly #expiresIn: number
  readonly #acceptStrapi: boolean
  readonly #checked = new LRUCache<string, Claims & { readonly expires: number }>({ max: checkedTokens })

  private constructor(
    algorithm: string,
    sign: CryptoKey | Uint8Array,
    verify: CryptoKey | Uint8Array,
    expiresIn: number,
    acceptStrapi: boolean,
  ) {
    this.#algorithm = algorithm
    this.#sign = sign
    this.#verify = verify
    this.#expiresIn = expiresIn
    this.#acceptStrapi = acceptStrapi
  }

  /** @throws Error when a key cannot be read. */
  static async open(options: JwtOptions, secret: string): Promise<Tokens> {
    const { keys, expiresIn = defaultExpiry } = options
    if (keys) {
      const sign = await importPKCS8(keys.privateKey, keys.algorithm)
      const verify = await importSPKI(keys.publicKey, keys.algorithm)
      return new Tokens(keys.algorithm, sign, verify, expiresIn, false)
    }
    const bytes = new TextEncoder().encode(secret)
    return new Tokens('HS256', bytes, bytes, expiresIn, options.acceptStrapiTokens === true)
  }

  make({ id, version, session }: Claims): Promise<string> {
    return new SignJWT({ id, v: version, ...(session !== undefined && { s: session }) })
      .setProtectedHeader({ alg: this.#algorithm, typ: 'JWT' })
      .setIssuer(issuer)
      .setIssuedAt()
      .setExpirationTime(Math.floor(Date.now() / 1000) + this.#expiresIn)
      .sign(this.#sign)
  }

  /** What a token says; `undefined` when it is not one of ours, or no longer holds. */
  async read(token: string): Promise<Claims | undefined> {
    const known = this.#checked.get(token)
    if (known) return known.expires > Date.now() / 1000 ? known : undefined
    try {
      // One algorithm, whatever the token's header asks for: neither `none` nor a public key taken for a secret.
      const { payload } = await jwtVerify(token, this.#verify, {
        algorithms: [this.#algorithm],
        issuer,
        requiredClaims: ['exp', 'iat'],
      })
      const { id, v, s, exp } = payload
      if (typeof id !== 'number' || typeof v !== 'number' || exp === undefined) return undefined
      if (s !== undefined && typeof s !== 'string') return undefined
      const claims = { id, version: v, ...(s !== undefined && { session: s }), expires: exp }
      this.#checked.set(token, claims)
      return claims
    } catch {
      return this.#acceptStrapi ? this.#readStrapi(token) : undefined
    }
  }

  /**
   * A token of Strapi 4 has the user's id and the time of issue, no issuer, and maybe no end. Its user must be in the first
   * version of their tokens, so that it ends like any other.
   */
  async #readStrapi(token: string): Promise<Claims | undefined> {
    try {
      const { payload } = await jwtVerify(token, this.#verify, { algorithms: ['HS256', 'HS384', 'HS512'] })
      const id = isId(payload.id) ? payload.id : readId(payload.id)
      if (id === undefined || payload.iss === issuer) return undefined
      const claims = { id, version: 0, expires: payload.exp ?? Number.POSITIVE_INFINITY }
      this.#checked.set(token, claims)
      return claims
    } catch {
      return undefined
    }
  }
}
