import { accepts, type FurtherAttributes, type KeysOf } from '@octavo/core/internal'
import type { AttemptLimiter, AttemptLimiterOptions } from '@octavo/server/attempts'
import type { EmailOptions } from './mail/email.ts'
import type { Permission } from './rights/grants.ts'

export interface UsersPermissionsOptions {
  /**
   * Permissions by the type of a role, besides those in the database; a missing role is created. Default none.
   *
   *     { public: ['api::article.article.find'],
   *       authenticated: [{ action: 'api::article.article.update', where: { author: { id: '$user.id' } } }] }
   */
  readonly permissions?: Readonly<Record<string, readonly (string | Permission)[]>>
  /**
   * The right that a write needs on another entry whose key or link it changes (a connected child, or the article of a tag):
   * `update` of that entry, before and after, or only `find`, as in the reference server. `find` applies to a role where
   * no permission for either type has a condition or a field list; otherwise `update` is required. Default `update`.
   */
  readonly farSide?: 'update' | 'find'
  /**
   * Further attributes and relations of a user: here, or in a file, such as an existing project's
   * `src/extensions/users-permissions/content-types/user/schema.json`. Default none.
   */
  readonly user?: FurtherAttributes
  /**
   * `true`: everybody may read all content of this process, for development. Logged at every start, not stored, and
   * refused with NODE_ENV=production. Default: `OCTAVO_PUBLIC_READ=1`, which `octavo start --public-read` sets.
   */
  readonly publicRead?: boolean
  readonly usernames?: {
    /** Characters of a new username, at most. Default 64. */
    readonly maxLength?: number
  }
  readonly jwt?: JwtOptions
  /**
   * The `API_TOKEN_SALT` of a Strapi 4 project whose API tokens were imported; they are accepted besides Octavo's own. Default:
   * the environment variable `API_TOKEN_SALT`; without one they are refused.
   */
  readonly apiTokenSalt?: string
  /**
   * Logins return a `refreshToken`, which `POST /auth/refresh` exchanges for a new pair; tokens are then valid for 15 minutes
   * unless `jwt.expiresIn` is set. `expiresIn` is in seconds, default 30 days. Default off.
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
  /** Whether an address must be confirmed before the first login. Default false. */
  readonly emailConfirmation?: boolean
  /**
   * The responses that do not depend on whether a user exists. `true`: those to registrations and to requests for a
   * confirmation; needs `emailConfirmation`. `false`: neither, they name the mistake as in the reference server. Default: those
   * to requests for a confirmation only.
   */
  readonly neutralAnswers?: boolean
  /**
   * The public URL of this server, e.g. `https://api.example.org`. Default `http://localhost:1337`; never taken from a
   * request, whose sender could name any host.
   */
  readonly publicUrl?: string
  /** Login providers, by their name in `/connect/:provider`. Default none. */
  readonly providers?: Readonly<Record<string, OAuthProvider>>
  /** The pages of the site that emails link to. */
  readonly urls?: {
    /** A page for a new password; it gets `?code=`. Default: the route below `publicUrl`. */
    readonly resetPassword?: string
    /** A page that confirms an address; it gets `?confirmation=`. Default: the route below `publicUrl`. */
    readonly emailConfirmation?: string
    /** The page that a confirmed user is redirected to. Default `/`. */
    readonly afterConfirmation?: string
  }
  readonly email?: EmailOptions
  readonly rateLimit?: {
    /** Attempts in `duration` from one address on one route, and separately for one account. Default 5. */
    readonly points?: number
    /** The time in which attempts are counted, in seconds. Default 60. */
    readonly duration?: number
    /**
     * The place where attempts are counted; a function makes limiters of `rate-limiter-flexible`, for Redis and others. Default
     * `database` when several processes share one, else `memory`.
     *
     *     (options) => new RateLimiterRedis({ storeClient: new Redis(url), ...options })
     */
    readonly store?: 'memory' | 'database' | ((options: AttemptLimiterOptions) => AttemptLimiter)
  }
}

/** An issuer of OpenID Connect, or one of the presets. */
export interface OAuthProvider {
  /** A known issuer. Default none: `issuer` is required then. */
  readonly preset?: 'google' | 'github'
  /**
   * The URL of the issuer, whose configuration is discovered. With a preset it replaces the preset's own, for a GitHub
   * Enterprise Server, for example. Default: that of the preset.
   */
  readonly issuer?: string
  /** The id of the application, from the issuer. */
  readonly clientId: string
  /** The secret of the application, from the issuer. */
  readonly clientSecret: string
  /** The scopes that are requested. Default `openid email profile`. */
  readonly scope?: string
  /** The allowed callbacks, compared exactly. The first is the default of `?callback=`. */
  readonly callbacks: readonly string[]
}

export interface JwtOptions {
  /** At least 32 characters, or 20 for the `JWT_SECRET` of a Strapi 4 project and with `acceptStrapiTokens`. Default: `OCTAVO_JWT_SECRET` or `JWT_SECRET`; without one, production does not start. */
  readonly secret?: string
  /** The place of `secret`, for messages: `JWT_SECRET in .env`. Default: that of the option or of the environment variable. */
  readonly secretSource?: string
  /** A pair of keys instead of the secret, in PEM: other servers can then verify tokens without being able to sign them. Default none. */
  readonly keys?: {
    /** The kind of the keys. */
    readonly algorithm: 'RS256' | 'ES256' | 'EdDSA'
    /** Signs tokens. */
    readonly privateKey: string
    /** Checks tokens. */
    readonly publicKey: string
  }
  /**
   * Accepts tokens that Strapi 4 signed with the same secret, until the user's tokens are invalidated for the first time,
   * by a new password for example. Default false. Not with `keys`.
   */
  readonly acceptStrapiTokens?: boolean
  /** Validity of a token, in seconds. Default 30 days, or 15 minutes with refresh tokens. */
  readonly expiresIn?: number
}

const template = {
  subject: accepts.text('Your password'),
  text: accepts.text('Choose a new password'),
  html: accepts.text('<p>Choose a new password</p>'),
} as const

/** The names of the options. A new option without a row does not compile. */
export const optionKeys = {
  permissions: {
    '*': accepts.listOf(
      accepts.orObject(accepts.text('api::article.article.find'), {
        action: true,
        where: true,
        fields: true,
      }),
    ),
  },
  farSide: accepts.oneOf('update', 'find'),
  // The definitions of attributes are checked with the content-type of users.
  user: accepts.orObject(accepts.text('./user.schema.json'), { attributes: true, options: true }),
  publicRead: accepts.flag,
  usernames: { maxLength: accepts.wholeNumber(1) },
  jwt: {
    secret: accepts.text('the output of openssl rand -base64 48'),
    secretSource: accepts.text('JWT_SECRET in .env'),
    keys: { algorithm: true, privateKey: true, publicKey: true },
    acceptStrapiTokens: accepts.flag,
    expiresIn: accepts.wholeNumber(1),
  },
  apiTokenSalt: accepts.text('the API_TOKEN_SALT of the Strapi project'),
  refreshTokens: accepts.orObject(accepts.flag, { expiresIn: accepts.wholeNumber(1) }),
  register: {
    enabled: accepts.flag,
    allowedFields: accepts.texts('name'),
    defaultRole: accepts.text('authenticated'),
  },
  emailConfirmation: accepts.flag,
  neutralAnswers: accepts.flag,
  publicUrl: accepts.url('https://api.example.org'),
  providers: {
    '*': { preset: true, issuer: true, clientId: true, clientSecret: true, scope: true, callbacks: true },
  },
  urls: {
    resetPassword: accepts.url('https://www.example.org/password'),
    emailConfirmation: accepts.url('https://www.example.org/confirm'),
    afterConfirmation: accepts.text('https://www.example.org/'),
  },
  email: {
    transport: accepts.either(accepts.text('smtp://localhost'), accepts.object),
    from: accepts.text('no-reply@example.org'),
    templates: { resetPassword: template, emailConfirmation: template },
  },
  rateLimit: {
    points: accepts.wholeNumber(1),
    duration: accepts.wholeNumber(1),
    store: accepts.either(accepts.oneOf('memory', 'database'), accepts.aFunction),
  },
} as const satisfies KeysOf<UsersPermissionsOptions>

/** The type of the role that a new user gets. */
export const defaultRoleOf = ({ register }: UsersPermissionsOptions): string =>
  register?.defaultRole ?? 'authenticated'
