import { createHash, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'

export const clientId = 'the desk'
export const clientSecret = 'a secret of client and issuer'

interface Asked {
  readonly nonce: string
  readonly challenge: string
  readonly redirect: string
}

/** An issuer of OpenID Connect, which says of each sign-in what a test wants, false things as well. */
export interface TestIssuer {
  readonly url: string
  /** The claims of the person who signs in next. */
  claims: JWTPayload
  /** Changes the claims of a token before it is signed. */
  forge: (claims: JWTPayload) => JWTPayload
  /** The way in which tokens are signed: by the key of the issuer, by another one, or not at all. */
  signed: 'by the issuer' | 'by somebody else' | 'not at all'
  /** The ways in which clients may send their secret. Default: any, of which the discovered configuration names none. */
  secrets: readonly ('client_secret_basic' | 'client_secret_post')[] | undefined
  /** Claims of `/userinfo`, which the token does not have. */
  info: JWTPayload
  close(): Promise<void>
}

export async function openIssuer(): Promise<TestIssuer> {
  const [own, other] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const codes = new Map<string, Asked>()
  const http = createServer()
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}` // it listens on a port

  const idToken = async (nonce: string): Promise<string> => {
    const now = Math.floor(Date.now() / 1_000)
    const claims = issuer.forge({
      iss: url,
      aud: clientId,
      iat: now,
      exp: now + 60,
      nonce,
      ...issuer.claims,
    })
    if (issuer.signed === 'not at all') return new UnsecuredJWT(claims).encode()
    const key = issuer.signed === 'by the issuer' ? own.privateKey : other.privateKey
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(key)
  }
  /** Each code once, by the client with its secret, with the verifier of the challenge. */
  const token = async (body: URLSearchParams, authorization: string): Promise<object | undefined> => {
    const code = body.get('code') ?? ''
    const asked = codes.get(code)
    codes.delete(code)
    const [id, secret] = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString().split(':')
    const isClient = authorization.startsWith('Basic ')
      ? decodeURIComponent(id ?? '').replaceAll('+', ' ') === clientId &&
        decodeURIComponent(secret ?? '').replaceAll('+', ' ') === clientSecret
      : body.get('client_id') === clientId && body.get('client_secret') === clientSecret
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url')
    const way = authorization === '' ? 'client_secret_post' : 'client_secret_basic'
    if (issuer.secrets?.includes(way) === false) return undefined
    if (!asked || !isClient || asked.challenge !== challenge || asked.redirect !== body.get('redirect_uri'))
      return undefined
    return {
      access_token: randomUUID(),
      token_type: 'bearer',
      expires_in: 60,
      id_token: await idToken(asked.nonce),
    }
  }
  const refused = {
    error: 'invalid_client',
    error_description: 'Unknown client, or another way of its secret',
  }
  http.on('request', async (request, response) => {
    const { pathname, searchParams: asked } = new URL(request.url ?? '/', url)
    const answer = (body: object | undefined): void => {
      response.writeHead(body ? 200 : 400, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body ?? refused))
    }
    if (pathname === '/authorize') {
      const code = randomUUID()
      const redirect = asked.get('redirect_uri') ?? ''
      codes.set(code, {
        nonce: asked.get('nonce') ?? '',
        challenge: asked.get('code_challenge') ?? '',
        redirect,
      })
      response.writeHead(302, { location: `${redirect}?code=${code}&state=${asked.get('state')}` })
      response.end()
    } else if (pathname === '/token')
      answer(await token(new URLSearchParams(await text(request)), request.headers.authorization ?? ''))
    else if (pathname === '/jwks') answer({ keys: [jwk] })
    else if (pathname === '/userinfo') answer({ sub: issuer.claims.sub, ...issuer.info })
    else
      answer({
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        jwks_uri: `${url}/jwks`,
        userinfo_endpoint: `${url}/userinfo`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256', 'none'],
        ...(issuer.secrets && { token_endpoint_auth_methods_supported: issuer.secrets }),
      })
  })
  const issuer: TestIssuer = {
    url,
    claims: {},
    forge: (claims) => claims,
    signed: 'by the issuer',
    secrets: undefined,
    info: {},
    close: async () => {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
  return issuer
}
