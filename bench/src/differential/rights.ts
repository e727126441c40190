/** Reads and writes of a user whose role has random rights. */
import fc from 'fast-check'
import { type Answer, ask, differences } from './compare.ts'
import { query } from './graphql.ts'
import { comparableAnswer, send } from './graphql-answers.ts'
import { GraphqlRights } from './graphql-rights.ts'
import type { Pair } from './pair.ts'
import { actions } from './project.ts'
import { isPlain, read } from './queries.ts'

type Both<T> = readonly [theirs: T, ours: T]

/** Reads, queries of GraphQL and writes between two changes of the role. */
const perRole = 20

const account = { username: 'limited', email: 'limited@example.org', password: 'secret12' }

type Report = (request: string, lines: readonly string[]) => void

export class Rights {
  readonly #pair: Pair
  readonly #seed: number
  readonly #report: Report
  readonly #role: Both<number>
  readonly #tokens: Both<string>

  private constructor(pair: Pair, seed: number, report: Report, role: Both<number>, tokens: Both<string>) {
    this.#pair = pair
    this.#seed = seed
    this.#report = report
    this.#role = role
    this.#tokens = tokens
  }

  /** Makes the role and its user on both servers. */
  static async begin(pair: Pair, seed: number, report: Report): Promise<Rights> {
    const [theirs, ours] = pair.servers
    const made = [await roleOn(theirs.url), await roleOn(ours.url)] as const
    const role = [made[0].role, made[1].role] as const
    return new Rights(pair, seed, report, role, [made[0].token, made[1].token])
  }

  /** Gives the role other rights, and compares some reads, queries of GraphQL and writes. */
  async next(round: number): Promise<void> {
    const seed = this.#seed * 1_000 + round
    const [given = []] = fc.sample(fc.subarray([...actions]), { seed, numRuns: 1 })
    for (const [i, { url }] of this.#pair.servers.entries())
      await sent(url, 'PUT', `/api/users-permissions/roles/${this.#role[i]}`, {
        name: 'Limited',
        permissions: treeOf(given),
      })
    const rights = new Set(given)
    const { schema } = this.#pair
    const answers = new GraphqlRights(schema, rights)
    for (const request of fc.sample(read(8).filter(isPlain), { seed, numRuns: perRole }))
      this.#compare(
        `${decodeURIComponent(request)} with the rights ${given.join(', ')}`,
        differences(...(await this.#both((url, token) => ask(url, 'GET', request, undefined, token)))),
      )
    for (const document of fc.sample(query(schema), { seed, numRuns: perRole }))
      this.#compare(
        `${document} with the rights ${given.join(', ')}`,
        answers.differences(
          document,
          ...(await this.#both(async (url, token) =>
            comparableAnswer(await send(url, document, undefined, token)),
          )),
        ),
      )
    for (let n = 0; n < perRole; n++) await this.#pair.writeNext({ tokens: this.#tokens, rights })
  }

  async #both(asked: (url: string, token: string) => Promise<Answer>): Promise<Both<Answer>> {
    const [theirs, ours] = this.#pair.servers
    return [await asked(theirs.url, this.#tokens[0]), await asked(ours.url, this.#tokens[1])]
  }

  #compare(request: string, lines: readonly string[]): void {
    if (lines.length > 0) this.#report(request, lines)
  }
}

async function roleOn(url: string): Promise<{ readonly role: number; readonly token: string }> {
  await sent(url, 'POST', '/api/users-permissions/roles', {
    name: 'Limited',
    description: 'Random rights',
    permissions: {},
  })
  const { roles } = (await sent(url, 'GET', '/api/users-permissions/roles')) as {
    readonly roles: readonly { readonly id: number; readonly name: string }[]
  }
  const role = roles.find(({ name }) => name === 'Limited')?.id
  if (role === undefined) throw new Error(`${url} has not made the role`)
  await sent(url, 'POST', '/api/users', { ...account, role, confirmed: true })
  const { jwt } = (await sent(url, 'POST', '/api/auth/local', {
    identifier: account.username,
    password: account.password,
  })) as { readonly jwt: string }
  return { role, token: jwt }
}

/** @throws Error for another answer than a success */
async function sent(url: string, method: string, path: string, data?: object): Promise<unknown> {
  const { status, body } = await ask(url, method, path, data && JSON.stringify(data))
  if (status >= 300) throw new Error(`${method} ${path} of ${url}: ${status} ${JSON.stringify(body)}`)
  return body
}

/** All actions, of which some are enabled, as the routes of roles have them. */
function treeOf(given: readonly string[]): object {
  const parts = actions.map((action) => {
    const [owner = '', controller = '', name = ''] = action.split('.')
    return { owner, controller, name, enabled: given.includes(action) }
  })
  const owners = Map.groupBy(parts, ({ owner }) => owner)
  return Object.fromEntries(
    [...owners].map(([owner, own]) => {
      const controllers = [...Map.groupBy(own, ({ controller }) => controller)]
      const trees = controllers.map(
        ([controller, ofOne]) =>
          [controller, Object.fromEntries(ofOne.map(({ name, enabled }) => [name, { enabled }]))] as const,
      )
      return [owner, { controllers: Object.fromEntries(trees) }]
    }),
  )
}
