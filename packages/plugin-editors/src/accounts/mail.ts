import type { Logger } from '@octavo/core'
import { Background, withMailTimes } from '@octavo/server/attempts'
import type { Transporter } from 'nodemailer'
import type { Settings } from '../options.ts'

/** Sends the links of forgotten passwords, in the background: neither its time nor its outcome can be observed. */
export class Mailer {
  readonly #options: Settings['email']
  readonly #logger: Logger
  readonly #background: Background
  #transport: Promise<Transporter> | undefined

  constructor(options: Settings['email'], logger: Logger) {
    this.#options = options
    this.#logger = logger
    this.#background = new Background(logger)
  }

  /** Runs work whose outcome no answer shows. Failures are logged. */
  run(work: () => Promise<void>): void {
    this.#background.run('A link could not be sent', work)
  }

  /** @param to The stored address of a person. */
  async sendReset(to: string, link: string): Promise<void> {
    const subject = 'Set a new password'
    const text = `Hello,\n\na new password was requested for your account at the desk. If you requested it, set one here within an hour:\n\n${link}\n\nOtherwise there is nothing to do.\n`
    if (this.#options.transport === undefined) {
      // The text has a secret, and production logs have many readers.
      const isProduction = process.env.NODE_ENV === 'production'
      this.#logger.info(
        { email: { to, subject, ...(!isProduction && { text }) } },
        'An email is not sent, because no transport is configured',
      )
      return
    }
    this.#transport ??= open(this.#options.transport)
    await (await this.#transport).sendMail({
      from: this.#options.from ?? 'no-reply@localhost',
      // As an object, so that a comma or bracket in the address adds no recipient.
      to: { name: '', address: to },
      subject,
      text,
    })
  }

  async close(): Promise<void> {
    await this.#background.settle()
    ;(await this.#transport)?.close()
  }
}

async function open(transport: string | Readonly<Record<string, unknown>>): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport(withMailTimes(transport) as never) // nodemailer has an overload for each kind of transport
}
