/** Reads of a user whose role has random rights. */
import fc from 'fast-check'
import type { Running } from '../peers/running.ts'
import { ask, differences } from './compare.ts'
import { actions } from './project.ts'
import { read } from './queries.ts'

type Both<T> = readonly [theirs: T, ours: T]

/** Reads between two changes of the role. */
const perRole = 20

const account = { username: 'limited', email: 'limited@example.org', password: 'secret12' }

export class Rights {
  readonly #servers: Both<Running>
  readonly #seed: number
  readonly #report: (request: string, lines: readonly string[]) => void
  readonly #role: Both<number>
  readonly #tokens: Both<string>

  private constructor(
    servers: Both<Running>,
    seed: number,
    report: (request: string, lines: readonly string[]) => void,
    role: Both<number>,
    tokens: Both<string>,
  ) {
    this.#servers = servers
    this.#seed = seed
    this.#report = report
    this.#role = role
    this.#tokens = tokens
  }

  /** Makes the role and its user on both servers. */
  static async begin(
    servers: Both<Running>,
    seed: number,
    report: (request: string, lines: readonly string[]) => void,
  ): Promise<Rights> {
    const made = [await roleOn(servers[0].url), await roleOn(servers[1].url)] as const
    const role = [made[0].role, made[1].role] as const
    return new Rights(servers, seed, report, role, [made[0].token, made[1].token])
  }

  /** Gives the role other rights, and compares some reads. */
  async next(round: number): Promise<void> {
    const seed = this.#seed * 1_000 + round
    const [given = []] = fc.sample(fc.subarray([...actions]), { seed, numRuns: 1 })
    for (const [i, { url }] of this.#servers.entries())
      await sent(url, 'PUT', `/api/users-permissions/roles/${this.#role[i]}`, {
        name: 'Limited',
        permissions: treeOf(given),
      })
    for (const request of fc.sample(read(8).filter(isPlain), { seed, numRuns: perRole })) {
      const [theirs, ours] = this.#servers
      const lines = differences(
        await ask(theirs.url, 'GET', request, undefined, this.#tokens[0]),
        await ask(ours.url, 'GET', request, undefined, this.#tokens[1]),
      )
      if (lines.length > 0)
        this.#report(`${decodeURIComponent(request)} with the rights ${given.join(', ')}`, lines)
    }
  }
}

/** Octavo does not read the filters and the sort of a relation that is not populated. */
const isPlain = (request: string): boolean => !/[?&]populate[^&=]*\[(?:filters|sort)\]/.test(request)

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
