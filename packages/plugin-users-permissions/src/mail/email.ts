import { ConfigurationError, type Logger } from '@octavo/core'
import { type Background, withMailTimes } from '@octavo/server/attempts'
import type { Transporter } from 'nodemailer'
import { printable } from '../input/names.ts'

export interface EmailOptions {
  /** The argument of `nodemailer.createTransport`: an SMTP URL or options. Default: emails are logged. */
  readonly transport?: string | Readonly<Record<string, unknown>>
  /** The sender. Default `no-reply@localhost`. */
  readonly from?: string
  /** The texts of the emails, by kind. Default: short English texts. */
  readonly templates?: Partial<Templates>
}

export interface Template {
  /** The subject line. */
  readonly subject: string
  /** The text. */
  readonly text: string
  /** The text of the email as HTML. Default none. */
  readonly html?: string
}

/** `{{url}}`, `{{username}}` and `{{email}}` are replaced by their values; templates have no other syntax. */
export interface Templates {
  /** The email with the link to a new password. */
  readonly resetPassword: Template
  /** The email that confirms an address. */
  readonly emailConfirmation: Template
}

const defaultTemplates: Templates = {
  resetPassword: {
    subject: 'Reset your password',
    text: 'Hello,\n\na new password was requested for your account "{{username}}". If you requested it, set one here within an hour:\n\n{{url}}\n\nOtherwise there is nothing to do.\n',
  },
  emailConfirmation: {
    subject: 'Confirm your address',
    text: 'Hello,\n\nplease confirm the address of your account "{{username}}" here:\n\n{{url}}\n\nIf you have no such account, there is nothing to do.\n',
  },
}

export type Values = Readonly<Record<'url' | 'username' | 'email', string>>

/** Renders emails from templates and sends them. */
export class Mailer {
  readonly #options: EmailOptions
  readonly #templates: Templates
  readonly #logger: Logger
  readonly #background: Background
  #transport: Promise<Transporter> | undefined

  constructor(options: EmailOptions, logger: Logger, background: Background) {
    this.#background = background
    this.#options = options
    this.#templates = { ...defaultTemplates, ...options.templates }
    checkTemplates(this.#templates)
    this.#logger = logger
  }

  /** Sends in the background. */
  send(name: keyof Templates, to: string, values: Values): void {
    this.#background.run(`An email could not be sent: ${name}`, () => this.#deliver(name, to, values))
  }

  async #deliver(name: keyof Templates, to: string, values: Values): Promise<void> {
    const { subject, text, html } = this.#templates[name]
    // A line break in a subject would begin another header.
    const message = {
      from: this.#options.from ?? 'no-reply@localhost',
      // As an object, so that a comma or bracket in the address does not add a recipient.
      to: { name: '', address: to },
      subject: fill(subject, values, oneLine),
      text: fill(text, values, oneLine),
      ...(html !== undefined && { html: fill(html, values, (value) => escapeHtml(oneLine(value))) }),
    }
    if (this.#options.transport === undefined) {
      // The text contains a code that gives access to the account, and production logs have many readers.
      const isProduction = process.env.NODE_ENV === 'production'
      this.#logger.info(
        { email: { to, subject: message.subject, ...(!isProduction && { text: message.text }) } },
        'An email is not sent, because no transport is configured',
      )
      return
    }
    this.#transport ??= open(this.#options.transport)
    await (await this.#transport).sendMail(message)
  }

  async close(): Promise<void> {
    ;(await this.#transport)?.close()
  }
}

async function open(transport: string | Readonly<Record<string, unknown>>): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport(withMailTimes(transport) as never) // nodemailer has an overload for each kind of transport
}

/** @throws ConfigurationError for a template that begins with a value: a user could choose the beginning of the email. */
function checkTemplates(templates: Templates): void {
  for (const [name, template] of Object.entries(templates))
    for (const [part, text] of Object.entries(template as Template))
      if (/^(\s|<[^>]*>)*\{\{(username|email)\}\}/.test(text))
        throw new ConfigurationError(
          `email.templates.${name}.${part} begins with a value that a user chose; begin it with words of your own`,
        )
}

/** A value as one line without invisible characters, so that a name can add neither paragraphs nor headers to an email. */
const oneLine = (value: string): string => printable(value)

/** Replaces the names in a template by their values, in one pass: placeholders in values are not replaced. */
export const fill = (template: string, values: Values, encode: (value: string) => string): string =>
  template.replaceAll(/\{\{(url|username|email)\}\}/g, (_, name: keyof Values) => encode(values[name]))

export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
