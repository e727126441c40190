import type { KeysOf } from '@octavo/core/internal'

export interface EditorsOptions {
  /**
   * The page that links of invitations and forgotten passwords lead to; the token follows behind `#`, where no log of a server sees it.
   * Default `/desk/accept` of this server.
   */
  readonly acceptUrl?: string
  readonly sessions?: {
    /** A session ends after this time without a request, in seconds. Default 8 hours. */
    readonly idle?: number
    /** A session ends after this time, in seconds. Default 7 days. */
    readonly longest?: number
  }
  readonly links?: {
    /** Validity of an invitation, and of the link for the first editor, in hours. Default 48. */
    readonly invitation?: number
    /** Validity of a link for a forgotten password, in minutes. Default 60. */
    readonly reset?: number
  }
  readonly email?: {
    /** The argument of `nodemailer.createTransport`: an SMTP URL or options. Default: mails are logged. */
    readonly transport?: string | Readonly<Record<string, unknown>>
    /** The sender. Default `no-reply@localhost`. */
    readonly from?: string
  }
  readonly rateLimit?: {
    /** Attempts in `duration` from one address, and separately for one account. Default 5. */
    readonly points?: number
    /** The time in which attempts are counted, in seconds. Default 60. */
    readonly duration?: number
  }
}

/** The names of the options. A new option without a row does not compile. */
export const optionKeys = {
  acceptUrl: true,
  sessions: { idle: true, longest: true },
  links: { invitation: true, reset: true },
  email: { transport: true, from: true },
  rateLimit: { points: true, duration: true },
} as const satisfies KeysOf<EditorsOptions>

/** The options with their defaults; times in seconds. */
export const withDefaults = ({ acceptUrl, sessions, links, email, rateLimit }: EditorsOptions) => ({
  acceptUrl,
  idle: sessions?.idle ?? 8 * 3_600,
  longest: sessions?.longest ?? 7 * 86_400,
  invitation: (links?.invitation ?? 48) * 3_600,
  reset: (links?.reset ?? 60) * 60,
  email: email ?? {},
  rateLimit,
})

export type Settings = ReturnType<typeof withDefaults>
