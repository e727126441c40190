import { isId, readId } from '@octavo/core/plugin'
import { type CryptoKey, importPKCS8, importSPKI, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import type { JwtOptions } from '../options.ts'

/** The content of a token: the user, and the version of the user's tokens. */
export interface TokenClaims {
  readonly id: number
  readonly version: number
  /** The session of the token, the family of its refresh tokens; absent without refresh tokens. */
  readonly session?: string
}

/** 30 days, in seconds. */
const defaultExpiry = 2_592_000

/** Issuer and audience of this server's tokens, so that tokens of another use of the same secret are refused. */
const issuer = 'octavo'

/** Tokens with a recently verified signature. */
const checkedTokens = 10_000

const isVersion = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

/** Signs and verifies the tokens of users. */
export class Tokens {
  readonly #algorithm: string
  readonly #sign: CryptoKey | Uint8Array
  readonly #verify: CryptoKey | Uint8Array
  readonly #expiresIn: number
  readonly #acceptStrapi: boolean
  readonly #now: () => Date
  readonly #checked = new LRUCache<string, TokenClaims & { readonly expires: number }>({
    maxSize: checkedTokens,
    sizeCalculation: () => 1,
  })

  private constructor(
    algorithm: string,
    sign: CryptoKey | Uint8Array,
    verify: CryptoKey | Uint8Array,
    expiresIn: number,
    acceptStrapi: boolean,
    now: () => Date,
  ) {
    this.#algorithm = algorithm
    this.#sign = sign
    this.#verify = verify
    this.#expiresIn = expiresIn
    this.#acceptStrapi = acceptStrapi
    this.#now = now
  }

  /**
   * @param now The clock of all servers, the database's.
   * @throws Error when a key cannot be read
   */
  static async open(options: JwtOptions, secret: string, now: () => Date): Promise<Tokens> {
    const { keys, expiresIn = defaultExpiry } = options
    if (keys) {
      const sign = await importPKCS8(keys.privateKey, keys.algorithm)
      const verify = await importSPKI(keys.publicKey, keys.algorithm)
      return new Tokens(keys.algorithm, sign, verify, expiresIn, false, now)
    }
    const bytes = new TextEncoder().encode(secret)
    return new Tokens('HS256', bytes, bytes, expiresIn, options.acceptStrapiTokens === true, now)
  }

  make({ id, version, session }: TokenClaims): Promise<string> {
    const issued = Math.floor(this.#seconds)
    return new SignJWT({ id, v: version, ...(session !== undefined && { s: session }) })
      .setProtectedHeader({ alg: this.#algorithm, typ: 'JWT' })
      .setIssuer(issuer)
      .setIssuedAt(issued)
      .setExpirationTime(issued + this.#expiresIn)
      .sign(this.#sign)
  }

  /** Since 1970. */
  get #seconds(): number {
    return this.#now().getTime() / 1_000
  }

  /** The content of a token; `undefined` when it is from elsewhere or no longer valid. */
  async read(token: string): Promise<TokenClaims | undefined> {
    const known = this.#checked.get(token)
    if (known) return known.expires > this.#seconds ? known : undefined
    try {
      // A fixed algorithm, whatever the token's header names: neither `none` nor a public key used as a secret is accepted.
      const { payload } = await jwtVerify(token, this.#verify, {
        algorithms: [this.#algorithm],
        issuer,
        requiredClaims: ['exp', 'iat'],
        currentDate: this.#now(),
      })
      const { id, v, s, exp } = payload
      // A signed claim that no row can have is no reason for an error of the database.
      if (!isId(id) || !isVersion(v) || exp === undefined) return undefined
      if (s !== undefined && typeof s !== 'string') return undefined
      const claims = { id, version: v, ...(s !== undefined && { session: s }), expires: exp }
      this.#checked.set(token, claims)
      return claims
    } catch {
      return this.#acceptStrapi ? this.#readStrapi(token) : undefined
    }
  }

  /**
   * A token of Strapi 4 has the user's id and the time of issue, no issuer, and possibly no expiry. It counts as the first
   * version of the user's tokens, so that it can be invalidated like any other.
   */
  async #readStrapi(token: string): Promise<TokenClaims | undefined> {
    try {
      const { payload } = await jwtVerify(token, this.#verify, {
        algorithms: ['HS256', 'HS384', 'HS512'],
        currentDate: this.#now(),
      })
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
