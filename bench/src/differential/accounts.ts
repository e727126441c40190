/** Users, roles and logins of two servers. */
import fc from 'fast-check'
import { Client } from 'pg'
import type { Running } from '../peers/running.ts'
import { type AccountRequest, requests } from './account-requests.ts'
import { ask, differences } from './compare.ts'

/** A user that both servers have. */
interface Account {
  readonly id: number
  readonly email: string
  readonly password: string
}

type Both<T> = readonly [theirs: T, ours: T]

/** A mistake in a new user, which the reference reports without its place. */
const withoutPlace = 'error ValidationError, wanted ApplicationError'

export class Accounts {
  readonly #servers: Both<Running>
  readonly #seed: number
  readonly #report: (request: string, lines: readonly string[]) => void
  #known: readonly Account[] = []
  #count = 0

  constructor(
    servers: Both<Running>,
    seed: number,
    report: (request: string, lines: readonly string[]) => void,
  ) {
    this.#servers = servers
    this.#seed = seed
    this.#report = report
  }

  /** Sends a random request to both, and compares the answers. */
  async next(): Promise<void> {
    const [drawn] = fc.sample(requests, { seed: this.#seed + ++this.#count, numRuns: 1 })
    const request = drawn as AccountRequest // one was asked for
    const [caller, target] = [this.#at(request.caller), this.#at(request.target)]
    // There are no users at the beginning.
    if ((request.caller !== undefined && !caller) || (request.target !== undefined && !target)) return
    const { method, data } = request
    const path = request.path.replace('{id}', String(target?.id))
    const answers = await this.#both(async ({ url }) => {
      const token = caller && (await tokenOf(url, caller))
      return ask(url, method, path, data && JSON.stringify(data), token)
    })
    const lines = differences(...answers).filter((line) => !(method === 'POST' && line === withoutPlace))
    if (lines.length > 0)
      this.#report(
        `${method} ${path} ${JSON.stringify(data ?? '')} of ${caller?.email ?? 'everybody'}`,
        lines,
      )
    const [theirs, ours] = answers
    if (theirs.status >= 300 || ours.status >= 300) await this.#sameSequence()
    else if (method === 'DELETE') this.#known = this.#known.filter((one) => one !== target)
    else if (data) this.#remember(data, ours.body)
  }

  #at(index: number | undefined): Account | undefined {
    return index === undefined ? undefined : this.#known[index % this.#known.length]
  }

  #remember(data: object, answer: unknown): void {
    const given = answer as { readonly user?: Account } & Account
    const { id, email: address } = given.user ?? given
    const before = this.#known.find((one) => one.id === id)
    const secret = String('identifier' in data || !('password' in data) ? before?.password : data.password)
    this.#known = [...this.#known.filter((one) => one !== before), { id, email: address, password: secret }]
  }

  async #both<T>(question: (server: Running) => Promise<T>): Promise<Both<T>> {
    const [theirs, ours] = this.#servers
    return [await question(theirs), await question(ours)]
  }

  /** A refused create uses up an id in one of them. */
  async #sameSequence(): Promise<void> {
    const clients = this.#servers.map(({ database }) => new Client(database.href))
    await Promise.all(clients.map((client) => client.connect()))
    const last = await Promise.all(
      clients.map(async (client) => {
        const { rows } = await client.query('select last_value::int as value from up_users_id_seq')
        return rows[0].value as number
      }),
    )
    for (const client of clients)
      await client.query("select setval('up_users_id_seq', $1)", [Math.max(...last)])
    await Promise.all(clients.map((client) => client.end()))
  }
}

/** `undefined` for a user who cannot sign in. */
async function tokenOf(
  url: string,
  { email: identifier, password: word }: Account,
): Promise<string | undefined> {
  const { body } = await ask(url, 'POST', '/api/auth/local', JSON.stringify({ identifier, password: word }))
  return (body as { readonly jwt?: string }).jwt
}
