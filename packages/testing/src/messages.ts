/** Counts messages to PostgreSQL, for tests of this workspace: it is not part of the published package. */
import pg from 'pg'

/** The process sends deliveries meanwhile, announces itself, and reads the database's clock, the more often the longer a test takes. */
const isOfProcess = (text: unknown): boolean =>
  /^\s*(update|delete from) "octavo_webhook|"octavo_processes"|clock_timestamp\(\)/.test(String(text))

/**
 * The number of messages that work sends to PostgreSQL in this process, besides those of the settings of a new connection, which are
 * texts, and the status of its answer.
 */
export async function countMessages<S>(
  work: () => Promise<{ readonly status: S }>,
): Promise<{ readonly messages: number; readonly status: S }> {
  const { query } = pg.Client.prototype
  let messages = 0
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [first] = args
    if (typeof first !== 'string' && !isOfProcess((first as { text?: string }).text)) messages += 1
    return Reflect.apply(query, this, args)
  } as typeof query
  try {
    const { status } = await work()
    return { messages, status }
  } finally {
    pg.Client.prototype.query = query
  }
}
