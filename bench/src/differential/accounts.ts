/** Users, roles and logins of two servers. */
import fc from 'fast-check'
import type { Running } from '../peers/running.ts'
import { type AccountRequest, requests } from './account-requests.ts'
import { ask, differences } from './compare.ts'
import { asRoute, operationOf } from './graphql-accounts.ts'
import { send } from './graphql-answers.ts'
import { alignSequences } from './sequences.ts'

/** A user that both servers have. */
interface Account {
  readonly id: number
  readonly email: string
  readonly password: string
}

type Both<T> = readonly [theirs: T, ours: T]

/** A mistake in a new user, which the reference reports without its place. */
const withoutPlace = [
  'error ValidationError, wanted ApplicationError',
  'error [{"code":"BAD_USER_INPUT","name":"ValidationError"}], wanted [{"code":"STRAPI_APPLICATION_ERROR","name":"ApplicationError"}]',
]

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
    const operation = this.#count % 2 === 0 ? operationOf(request, target?.id) : undefined
    const answers = await this.#both(async ({ url }) => {
      const token = caller && (await tokenOf(url, caller))
      if (operation) return asRoute(await send(url, operation.document, operation.variables, token))
      return ask(url, method, path, data && JSON.stringify(data), token)
    })
    const lines = differences(...answers).filter(
      (line) => !(method === 'POST' && withoutPlace.includes(line)),
    )
    if (lines.length > 0)
      this.#report(
        `${operation ? 'as an operation ' : ''}${method} ${path} ${JSON.stringify(data ?? '')} of ${caller?.email ?? 'everybody'}`,
        lines,
      )
    const [theirs, ours] = answers
    if (theirs.status >= 300 || ours.status >= 300) await alignSequences(this.#servers, ['up_users'])
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
}

/** `undefined` for a user who cannot sign in. */
async function tokenOf(
  url: string,
  { email: identifier, password: word }: Account,
): Promise<string | undefined> {
  const { body } = await ask(url, 'POST', '/api/auth/local', JSON.stringify({ identifier, password: word }))
  return (body as { readonly jwt?: string }).jwt
}
