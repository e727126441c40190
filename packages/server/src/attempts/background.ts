import type { Logger } from '@octavo/core'
import { nonError } from '../error/origins.ts'
import { endingTransport } from './own-transport.ts'

/** Milliseconds for which a stop waits for work in the background, such as an email to a server that does not answer. The time `grace` of a server, 10 s, is longer. */
const patience = 5_000

/** Runs work without delaying the response, so that neither its duration nor its outcome is observable. Failures are logged. */
export class Background {
  readonly #logger: Logger
  readonly #running = new Set<Promise<void>>()

  constructor(logger: Logger) {
    this.#logger = logger
  }

  /** @param failure The log message of a failure. */
  run(failure: string, work: () => Promise<void>): void {
    const running = work()
      .catch((error: unknown) => {
        const err = error instanceof Error ? error : nonError(error)
        this.#logger.error({ err }, failure)
      })
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  /** Waits for all started work, for 5 s at most: the server could not close its database while a mail server is silent. */
  async settle(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patience)
    })
    await Promise.race([this.#all(), late])
    clearTimeout(timer)
    const { size } = this.#running
    if (size > 0)
      this.#logger.warn({ running: size }, 'The stop did not wait for emails that are not sent yet')
  }

  async #all(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }
}

/** Milliseconds for a mail server. The defaults of nodemailer are 2 minutes, 30 seconds and 10 minutes. */
const mailTimes = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

/** The argument of `nodemailer.createTransport`, with limits of time where it has none, also for a transport of a program. */
export function withMailTimes(
  transport: string | Readonly<Record<string, unknown>>,
): string | Readonly<Record<string, unknown>> {
  if (typeof transport !== 'string')
    return typeof transport.send === 'function' ? endingTransport(transport) : { ...mailTimes, ...transport }
  if (!/^smtps?:/i.test(transport)) return transport
  const missing = Object.entries(mailTimes).filter(([name]) => !transport.includes(`${name}=`))
  const added = missing.map(([name, time]) => `${name}=${time}`).join('&')
  return `${transport}${transport.includes('?') ? '&' : '?'}${added}`
}
