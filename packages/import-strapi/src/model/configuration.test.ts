import { describe, expect, it } from 'vitest'
import { toConfiguration } from './configuration.ts'

const options = { content: './content' }
const users = (key: string, value: object) => ({ key: `plugin_users-permissions_${key}`, value })

describe('The settings of a project', () => {
  it('become options, registration and pages first', () => {
    const { text } = toConfiguration(
      [
        users('advanced', {
          allow_register: false,
          default_role: 'member',
          email_confirmation: true,
          email_reset_password: 'https://example.org/reset',
          email_confirmation_redirection: 'https://example.org/welcome',
        }),
      ],
      options,
    )
    expect(text).toContain('register: {"enabled":false,"defaultRole":"member"},')
    expect(text).toContain('emailConfirmation: true,')
    expect(text).toContain(
      'urls: {"resetPassword":"https://example.org/reset","afterConfirmation":"https://example.org/welcome"},',
    )
    expect(text).toContain("farSide: 'find',")
  })

  it('have secrets as environment variables, which are listed', () => {
    const { text, environment, notes } = toConfiguration(
      [
        users('grant', {
          email: { enabled: true },
          google: { enabled: true, key: 'an id', secret: 'a secret', callback: 'https://example.org/google' },
          auth0: { enabled: true, key: 'another id', secret: 'another secret' },
          github: { enabled: false, key: 'unused', secret: '' },
        }),
      ],
      options,
    )
    expect(Object.keys(environment)).toEqual(['JWT_SECRET', 'GOOGLE_CLIENT_SECRET', 'AUTH0_CLIENT_SECRET'])
    expect(text).toContain("clientSecret: process.env.GOOGLE_CLIENT_SECRET ?? '',")
    expect(text).toContain('callbacks: ["https://example.org/google"],')
    expect(text).not.toContain('a secret')
    expect(text).not.toContain('another secret')
    expect(text).not.toContain('unused')
    expect(notes).toContain('the sign-in provider auth0 needs the address of its OpenID Connect issuer')
  })

  it('have the salt of API tokens where some come along', () => {
    const { environment } = toConfiguration([], { ...options, apiTokens: true })
    expect(Object.keys(environment)).toEqual(['JWT_SECRET', 'API_TOKEN_SALT'])
  })

  it('have templates of emails in our form, and a note for a field that we do not have', () => {
    const template = (message: string) => ({
      options: {
        from: { name: 'A Site', email: 'hello@example.org' },
        object: 'Hello <%= USER.username %>',
        message,
      },
    })
    const { text, notes } = toConfiguration(
      [
        users('email', {
          reset_password: template('<p>Go to <%= URL %>?code=<%= TOKEN %></p>'),
          email_confirmation: template('<p><%= USER.phone %></p>'),
        }),
      ],
      options,
    )
    expect(text).toContain('from: "A Site <hello@example.org>",')
    expect(text).toContain('subject: "Hello {{username}}",')
    expect(text).toContain('html: "<p>Go to {{url}}</p>",')
    expect(text).toContain('text: "Go to {{url}}",')
    expect(notes).toEqual([expect.stringContaining('<%= USER.phone %>')])
  })
})
