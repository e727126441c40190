/** Parts of logins at issuers of OpenID Connect, in which issuers differ. */
import { isObject } from '@octavo/core/internal'

/** The claims of an identity token, or those of `/userinfo`. */
export type Claims = Readonly<Record<string, unknown>>

/**
 * The address of a person, as the issuer has written it; `undefined` for one that the issuer has not verified, which may belong to another
 * person. Both claims are of the same answer: a token and `/userinfo` may have different addresses.
 *
 * Entra ID has no `email_verified`. Its optional claim `xms_edov` says whether the domain of the address belongs to the tenant.
 */
export const verifiedAddress = ({ email, email_verified: verified, xms_edov: domain }: Claims) =>
  typeof email === 'string' && (verified === true || (verified === undefined && isYes(domain)))
    ? email
    : undefined

/** Whether a claim of Entra ID is true, which writes it as a boolean, a number or a text. */
const isYes = (claim: unknown): boolean => [true, 1, '1', 'true'].some((yes) => yes === claim)

interface IssuerMetadata {
  readonly token_endpoint_auth_methods_supported?: readonly string[] | undefined
}

type SendSecret<I, R extends readonly unknown[]> = (issuer: I, ...request: R) => void

/**
 * Sends the secret of the client as the issuer supports it: in the body if the issuer names this method, otherwise as Basic authentication, the
 * default of an issuer that names no method (OpenID Connect Discovery 1.0, section 3).
 *
 * @param inBody `ClientSecretPost` of `openid-client`. @param basic Its `ClientSecretBasic`.
 */
export const sendSecret =
  <I extends IssuerMetadata, R extends readonly unknown[]>(
    inBody: SendSecret<I, R>,
    basic: SendSecret<I, R>,
  ): SendSecret<I, R> =>
  (issuer, ...request) => {
    const methods = issuer.token_endpoint_auth_methods_supported ?? []
    const send = methods.includes('client_secret_post') ? inBody : basic
    send(issuer, ...request)
  }

/** Characters of an error of the issuer in a log. */
const longestError = 200

/**
 * The reason why a login failed, for the log. The error itself may have tokens, and messages of the parser of JSON quote the text that they
 * are about, which may be one.
 */
export function reasonOfFailure(error: unknown): string {
  if (!isObject(error) || error instanceof SyntaxError) return ''
  // The library adds the body of an answer with the status 200, in which GitHub refuses codes.
  if (!(error instanceof Error)) return refusalIn(error.body)
  return [error.message, refusalIn(error), reasonOfFailure(error.cause)].filter(Boolean).join(': ')
}

/** `invalid_client: …`, as the issuer explains a refusal. */
const refusalIn = (answer: unknown): string =>
  isObject(answer)
    ? [Reflect.get(answer, 'error'), Reflect.get(answer, 'error_description')]
        .filter((text) => typeof text === 'string')
        .map((text) => text.slice(0, longestError))
        .join(': ')
    : ''
