import type { ApiOperation, ApiSchemas, JsonSchema } from '@octavo/server'
import { maxPasswordBytes, minPasswordLength } from '../accounts/password.ts'
import { operation } from './operation.ts'
import { object } from './schemas.ts'

const text: JsonSchema = { type: 'string' }
const email: JsonSchema = { type: 'string', format: 'email' }
const password: JsonSchema = { type: 'string', minLength: minPasswordLength, maxLength: maxPasswordBytes }

const redirection = (tag: string, id: string, summary: string): ApiOperation => ({
  id: `desk-${id}`,
  tag,
  summary,
  security: [],
  responses: { 302: { description: 'The page to go on with.' } },
})

const codes = object({ recoveryCodes: { type: 'array', items: text } })

/** Signing in and out, and the own account. */
export function accountOperations(schemas: ApiSchemas): Record<string, ApiOperation> {
  const tag = 'Desk: account'
  const ok = schemas.named('DeskOk')
  const self = schemas.named('DeskSelf')
  return {
    'POST /desk/api/first': operation(tag, {
      id: 'first',
      summary: 'Make the first editor',
      description:
        'With the token of the link that the first start prints. There is no such route afterwards.',
      open: true,
      body: object({ token: text, email, password, firstname: text, lastname: text }, [
        'token',
        'email',
        'password',
      ]),
      answer: ok,
      status: 201,
    }),
    'POST /desk/api/login': operation(tag, {
      id: 'login',
      summary: 'Sign in',
      description: 'Sets the cookie of the session.',
      open: true,
      body: object(
        { email, password: text, code: { ...text, description: 'Of the second factor, or for recovery.' } },
        ['email', 'password'],
      ),
      answer: self,
    }),
    'GET /desk/api/sign-in': operation(tag, {
      id: 'waysToSignIn',
      summary: 'Read the ways to sign in',
      open: true,
      answer: object({
        passwords: { type: 'boolean' },
        openId: { oneOf: [object({ name: text }), { type: 'null' }] },
      }),
    }),
    'GET /desk/api/openid': {
      ...redirection(tag, 'signInElsewhere', 'Sign in at the issuer'),
      query: [
        { name: 'to', description: 'The page of the desk to return to. Default `/desk`.', schema: text },
      ],
    },
    'GET /desk/api/openid/callback': redirection(tag, 'signedInElsewhere', 'The answer of the issuer'),
    'POST /desk/api/logout': operation(tag, { id: 'logout', summary: 'Sign out', open: true, answer: ok }),
    'POST /desk/api/accept': operation(tag, {
      id: 'accept',
      summary: 'Set a password with a link',
      description: 'With the token of an invitation or of a mail, once.',
      open: true,
      body: object({ token: text, password }),
      answer: ok,
    }),
    'POST /desk/api/forgot-password': operation(tag, {
      id: 'forgotPassword',
      summary: 'Ask for a link by mail',
      description: 'The answer is the same for an address that nobody has.',
      open: true,
      body: object({ email }),
      answer: ok,
    }),
    'GET /desk/api/me': operation(tag, {
      id: 'me',
      summary: 'Read the own account, with what the person may do',
      answer: self,
    }),
    'PUT /desk/api/me': operation(tag, {
      id: 'changeMe',
      summary: 'Change the own account',
      body: object({ firstname: text, lastname: text, language: text }, []),
      answer: self,
    }),
    'POST /desk/api/password': operation(tag, {
      id: 'changePassword',
      summary: 'Change the own password',
      description: 'All other sessions end.',
      body: object({ currentPassword: text, password }),
      answer: ok,
    }),
    'POST /desk/api/second-factor': operation(tag, {
      id: 'beginSecondFactor',
      summary: 'Make a secret for codes by time',
      description: 'Signing in needs a code once one was confirmed.',
      body: object({ currentPassword: text }),
      answer: object({ secret: text, uri: { ...text, description: 'For a QR code: `otpauth://totp/…`' } }),
      status: 201,
    }),
    'POST /desk/api/second-factor/confirm': operation(tag, {
      id: 'confirmSecondFactor',
      summary: 'Turn the second factor on with a code of the app',
      description: 'All other sessions end.',
      body: object({ code: text }),
      answer: codes,
    }),
    'POST /desk/api/second-factor/recovery-codes': operation(tag, {
      id: 'newRecoveryCodes',
      summary: 'Make new codes for recovery',
      body: object({ currentPassword: text, code: text }),
      answer: codes,
    }),
    'POST /desk/api/second-factor/remove': operation(tag, {
      id: 'removeSecondFactor',
      summary: 'Turn the second factor off',
      body: object({ currentPassword: text, code: text }),
      answer: ok,
    }),
    'GET /desk/api/sessions': operation(tag, {
      id: 'sessions',
      summary: 'List the own sessions',
      answer: { type: 'array', items: schemas.named('DeskSession') },
    }),
    'DELETE /desk/api/sessions': operation(tag, {
      id: 'endSessions',
      summary: 'Sign out everywhere',
      answer: ok,
    }),
    'DELETE /desk/api/sessions/:id': operation(tag, {
      id: 'endSession',
      summary: 'End one of the own sessions',
      answer: ok,
    }),
  }
}
