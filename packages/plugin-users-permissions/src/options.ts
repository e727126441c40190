import type { FurtherAttributes, KeysOf } from '@octavo/core'
import type { EmailOptions } from './auth/email.ts'
import type { Permission } from './rights/grants.ts'

export interface UsersPermissionsOptions {
  /**
   * Permissions by the type of a role, besides those in the database; a role that does not exist is made.
   *
   *     { public: ['api::article.article.find'],
   *       authenticated: [{ action: 'api::article.article.update', where: { author: { id: '$user.id' } } }] }
   */
  readonly permissions?: Readonly<Record<string, readonly (string | Permission)[]>>
  /**
   * What a write needs on another entry whose key or link it changes (a child that it takes, an article that a tag takes):
   * `update` of that entry, before and after, or only `find`, as in the reference server. `find` holds for a role where
   * no permission of either type has a condition or a field list; elsewhere it is `update`. Default `update`.
   */
  readonly farSide?: 'update' | 'find'
  /**
   * Further attributes and relations of a user: here, or in a file, such as an existing project's
   * `src/extensions/users-permissions/content-types/user/schema.json`.
   */
  readonly user?: FurtherAttributes
  /**
   * `true`: everybody may read all content of this process, for trying things out. It is said at every start, stored
   * nowhere, and refused with NODE_ENV=production. Default: `OCTAVO_PUBLIC_READ=1`, which `octavo start --public-read` sets.
   */
  readonly publicRead?: boolean
  readonly usernames?: {
    /** Characters of a new username, at most. Default 64. */
    readonly maxLength?: number
  }
  readonly jwt?: JwtOptions
  /**
   * The `API_TOKEN_SALT` of a Strapi 4 project whose API tokens were imported; they are taken beside Octavo's own. Default:
   * the environment variable `API_TOKEN_SALT`; without one they are not taken.
   */
  readonly apiTokenSalt?: string
  /**
   * Logins come with a `refreshToken`, which `POST /auth/refresh` exchanges for a new pair; tokens then hold 15 minutes
   * unless `jwt.expiresIn` says otherwise. `expiresIn` is in seconds, default 30 days. Default off.
   */
  readonly refreshTokens?: boolean | { readonly expiresIn?: number }
  readonly register?: {
    /** Whether strangers may register. Default true. */
    readonly enabled?: boolean
    /** Attributes that a registration may set besides username, email and password. Default none. */
    readonly allowedFields?: readonly string[]
    /** Type of the role that a new user gets. Default `authenticated`. */
    readonly defaultRole?: string
  }
  /** Whether one must confirm the address before logging in. Default false. */
  readonly emailConfirmation?: boolean
  /**
   * `true`: registering and asking for a confirmation answer the same whether or not there is such a user. Needs
   * `emailConfirmation`. Default false: they say what is wrong, as the reference server does.
   */
  readonly neutralAnswers?: boolean
  /**
   * Where this server is reached, e.g. `https://api.example.org`. Default `http://localhost:1337`; never taken from a
   * request, whose sender could name any host.
   */
  readonly publicUrl?: string
  /** Login by others, by the name that stands in `/connect/:provider`. Default none. */
  readonly providers?: Readonly<Record<string, OAuthProvider>>
  /** Where emails lead: pages of the site. Absent: the route below `publicUrl`. */
  readonly urls?: {
    /** Gets `?code=`. */
    readonly resetPassword?: string
    /** Gets `?confirmation=`. */
    readonly emailConfirmation?: string
    /** Where a confirmed user is sent. Default `/`. */
    readonly afterConfirmation?: string
  }
  readonly email?: EmailOptions
  readonly rateLimit?: {
    /** Attempts in `duration` of one address on one route, and apart from that of one account. Default 5. */
    readonly points?: number
    /** Seconds. Default 60. */
    readonly duration?: number
    /** Where attempts are counted. Default `database` when several processes share one, else `memory`. */
    readonly store?: 'memory' | 'database'
  }
}

/** An issuer of OpenID Connect, or one of the presets. */
export interface OAuthProvider {
  readonly preset?: 'google' | 'github'
  /**
   * Address of the issuer, whose configuration is discovered. With a preset it stands in place of the preset's own: a
   * GitHub Enterprise Server, say.
   */
  readonly issuer?: string
  readonly clientId: string
  readonly clientSecret: string
  /** Default `openid email profile`. */
  readonly scope?: string
  /** Pages of the site that people may come back to, to the letter; the first when none is asked for. */
  readonly callbacks: readonly string[]
}

export interface JwtOptions {
  /** At least 32 characters, or 20 with `acceptStrapiTokens`. Default: `OCTAVO_JWT_SECRET` or `JWT_SECRET`; without one, production does not start. */
  readonly secret?: string
  /** A pair of keys in place of the secret, in PEM: others can then check tokens without being able to make them. */
  readonly keys?: {
    readonly algorithm: 'RS256' | 'ES256' | 'EdDSA'
    readonly privateKey: string
    readonly publicKey: string
  }
  /**
   * Also takes tokens that Strapi 4 signed with the same secret, until the user's tokens are ended for the first time: by a
   * new password, say. Default false. Not with `keys`.
   */
  readonly acceptStrapiTokens?: boolean
  /** How long a token holds, in seconds. Default 30 days, or 15 minutes with refresh tokens. */
  readonly expiresIn?: number
}

const template = { subject: true, text: true, html: true } as const

/** The names of the options. A new option without a row does not compile. */
export const optionKeys = {
  permissions: { '*': { action: true, where: true, fields: true } },
  farSide: true,
  // The definitions of attributes are checked with the content-type of users.
  user: { attributes: true },
  publicRead: true,
  usernames: { maxLength: true },
  jwt: {
    secret: true,
    keys: { algorithm: true, privateKey: true, publicKey: true },
    acceptStrapiTokens: true,
    expiresIn: true,
  },
  apiTokenSalt: true,
  refreshTokens: { expiresIn: true },
  register: { enabled: true, allowedFields: true, defaultRole: true },
  emailConfirmation: true,
  neutralAnswers: true,
  publicUrl: true,
  providers: {
    '*': { preset: true, issuer: true, clientId: true, clientSecret: true, scope: true, callbacks: true },
  },
  urls: { resetPassword: true, emailConfirmation: true, afterConfirmation: true },
  email: {
    transport: true,
    from: true,
    templates: { resetPassword: template, emailConfirmation: template },
  },
  rateLimit: { points: true, duration: true, store: true },
} as const satisfies KeysOf<UsersPermissionsOptions>
