import { foldEmail, Lazy } from '@octavo/core/internal'
import { type Claims, providerFetch, sendSecret, verifiedAddress } from '@octavo/server/attempts'
import type { Configuration } from 'openid-client'
import { isLoopback, type OpenIdOptions } from '../options.ts'
import { isEmail } from './email.ts'

/** A person whom the issuer has authenticated. */
export interface Profile {
  readonly issuer: string
  readonly subject: string
  /** In its stored form; `undefined` for an address that the issuer has not verified, which may belong to another person. */
  readonly email: string | undefined
  readonly firstname: string | undefined
  readonly lastname: string | undefined
  /** The values of the claim for roles. */
  readonly groups: readonly string[]
}

/** The secrets of a sign-in that has begun. */
export interface Checks {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** Signing in at an issuer of OpenID Connect: an authorization code with PKCE, state and nonce. */
export class Issuer {
  readonly #options: OpenIdOptions
  readonly #redirect: () => string
  readonly #configuration = new Lazy(() => this.#discover())

  /** @param redirect The address to which the issuer leads back. */
  constructor(options: OpenIdOptions, redirect: () => string) {
    this.#options = options
    this.#redirect = redirect
  }

  /** The page of the issuer. @throws Error when the issuer cannot be reached */
  async pageFor({ state, nonce, verifier }: Checks): Promise<string> {
    const client = await import('openid-client')
    const url = client.buildAuthorizationUrl(await this.#configuration.get(), {
      redirect_uri: this.#redirect(),
      scope: this.#options.scope ?? 'openid email profile',
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    return url.href
  }

  /**
   * Exchanges the code of a callback. The library checks issuer, audience, algorithm, times, nonce and state; the signature is checked as
   * well, although the token comes from the issuer itself.
   *
   * @param query The query string of the callback.
   * @throws Error when a check fails
   */
  async profile(query: string, { state, nonce, verifier }: Checks): Promise<Profile> {
    const client = await import('openid-client')
    const configuration = await this.#configuration.get()
    const tokens = await client.authorizationCodeGrant(
      configuration,
      new URL(`${this.#redirect()}?${query}`),
      { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
    )
    const claims = tokens.claims()
    if (!claims) throw new Error('The issuer gave no identity')
    const { roles } = this.#options
    const isWhole =
      verifiedAddress(claims) !== undefined &&
      (roles === undefined || claimIn(claims, roles.claim) !== undefined)
    const more =
      isWhole || configuration.serverMetadata().userinfo_endpoint === undefined
        ? {}
        : await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
    const email = verifiedAddress(claims) ?? verifiedAddress(more)
    return profileOf({ ...more, ...claims }, { issuer: claims.iss, subject: claims.sub, email }, roles?.claim)
  }

  async #discover(): Promise<Configuration> {
    const client = await import('openid-client')
    const { enableNonRepudiationChecks, allowInsecureRequests } = client
    const { issuer, clientId, clientSecret } = this.#options
    const url = new URL(issuer)
    const execute = [enableNonRepudiationChecks, ...(isLoopback(url) ? [allowInsecureRequests] : [])]
    const sent = sendSecret(client.ClientSecretPost(clientSecret), client.ClientSecretBasic(clientSecret))
    return client.discovery(url, clientId, clientSecret, sent, {
      execute,
      [client.customFetch]: providerFetch,
    })
  }
}

function profileOf(
  claims: Claims,
  { issuer, subject, email = '' }: Pick<Profile, 'issuer' | 'subject' | 'email'>,
  claim: string | readonly string[] | undefined,
): Profile {
  const address = foldEmail(email)
  const groups = claim === undefined ? undefined : claimIn(claims, claim)
  return {
    issuer,
    subject,
    email: isEmail(address) ? address : undefined,
    firstname: nameIn(claims.given_name),
    lastname: nameIn(claims.family_name),
    groups: [groups].flat().filter((value) => typeof value === 'string'),
  }
}

/** A claim by its name, or by a list of names. */
function claimIn(claims: Claims, claim: string | readonly string[]): unknown {
  let value: unknown = claims
  for (const name of [claim].flat()) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Claims)[name]
  }
  return value
}

/** A name without control characters and marks that turn the direction of a text (S-28). */
const nameIn = (value: unknown): string | undefined =>
  typeof value === 'string' &&
  value !== '' &&
  value.length <= 100 &&
  !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(value)
    ? value
    : undefined
