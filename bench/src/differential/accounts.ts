/** Users, roles and logins, as an administrator and as the users themselves ask for them. */
import fc from 'fast-check'
import { Client } from 'pg'
import type { Running } from '../peers/running.ts'
import { ask, differences } from './compare.ts'
import { day, word } from './values.ts'

/** A user that both servers have. */
interface Account {
  readonly id: number
  readonly email: string
  readonly password: string
}

interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `{id}` is that of a user. The reference answers 204 for one that does not exist. */
  readonly path: string
  readonly data?: object
  /** The user in the path, by the place in the list of those that are known, beginning again at its end. */
  readonly target?: number
  /** The user that sends it, in the same way. Default: everybody. */
  readonly caller?: number
}

type Query = fc.Arbitrary<readonly string[]>

const nothing: Query = fc.constant([])
const sometimes = (part: Query): Query => fc.oneof(nothing, part)
const all = (...parts: readonly Query[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((lists) => lists.flat().join('&'))
const assign = (name: string, value: string | number): readonly string[] => [
  `${name}=${encodeURIComponent(value)}`,
]

const name = fc
  .tuple(word.filter(Boolean), fc.nat({ max: 30 }))
  .map(([text, n]) => `${text.replaceAll(/\W/g, '')}-${n}`)
const email = fc
  .tuple(fc.nat({ max: 30 }), fc.constantFrom('u', 'U'))
  .map(([n, letter]) => `${letter}${n}@example.org`)
const password = fc.constantFrom('secret12', 'Another 34', 'abcdef')
const role = fc.constantFrom(1, 2)

const comparison: Query = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('username', 'email', 'provider'),
      fc.constantFrom('$eq', '$ne', '$containsi', '$lt'),
    )
    .chain(([attribute, operator]) =>
      fc.oneof(word, name, email).map((text) => assign(`filters[${attribute}][${operator}]`, text)),
    ),
  fc
    .tuple(fc.constantFrom('confirmed', 'blocked'), fc.constantFrom('true', 'false'))
    .map(([attribute, flag]) => assign(`filters[${attribute}]`, flag)),
  fc
    .tuple(fc.constantFrom('$lte', '$gt', '$in', '$notIn'), fc.nat({ max: 20 }))
    .map(([operator, id]) => assign(`filters[id][${operator}]`, id)),
  fc
    .tuple(fc.constantFrom('$gt', '$null'), day)
    .map(([operator, on]) => assign(`filters[createdAt][${operator}]`, operator === '$null' ? 'true' : on)),
  fc
    .tuple(fc.constantFrom('type', 'name'), fc.constantFrom('authenticated', 'public', 'Public'))
    .map(([attribute, text]) => assign(`filters[role][${attribute}]`, text)),
)

const populate: Query = fc
  .constantFrom(
    'populate=*',
    'populate=role',
    'populate[role]=true',
    'populate[role][fields][0]=name',
    'populate[0]=role',
    'populate[role][populate][0]=users',
    'populate[role][populate][users][fields][0]=username',
  )
  .map((text) => [text])
const fields: Query = fc
  .uniqueArray(fc.constantFrom('username', 'email', 'provider', 'confirmed', 'blocked', 'createdAt'), {
    minLength: 1,
    maxLength: 3,
  })
  .map((names) => names.map((field, i) => `fields[${i}]=${field}`))
const page: Query = fc
  .tuple(fc.nat({ max: 3 }), fc.integer({ min: 1, max: 5 }))
  .map(([start, limit]) => [`start=${start}`, `limit=${limit}`])
const sort: Query = fc
  .constantFrom('id', 'id:desc', 'username,id', 'email:desc,id', 'confirmed,id', 'role.name,id')
  .map((term) => [`sort=${term}`])

/** The reference adds the attribute of a sort to the selected ones. */
const order: Query = fc.oneof(
  sort,
  fields.map((some) => [...some, 'sort=id']),
)

const place = fc.nat({ max: 50 })

const reads: fc.Arbitrary<Request> = fc.oneof(
  {
    weight: 6,
    arbitrary: all(order, sometimes(comparison), sometimes(populate), sometimes(page)).map(
      (query): Request => ({ method: 'GET', path: `/api/users?${query}` }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(place, all(sometimes(populate), sometimes(fields)))
      .map(([target, query]): Request => ({ method: 'GET', path: `/api/users/{id}?${query}`, target })),
  },
  {
    weight: 2,
    arbitrary: all(sometimes(comparison)).map(
      (query): Request => ({ method: 'GET', path: `/api/users/count?${query}` }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('roles', 'roles/77')
      .map((path): Request => ({ method: 'GET', path: `/api/users-permissions/${path}` })),
  },
)

/** A password may have at most 72 bytes in Octavo. */
const wrong = fc.constantFrom<unknown>('x', -5, null, true, 1.5, '', {}, [])

type Parts = Readonly<Record<string, fc.Arbitrary<unknown>>>

/**
 * A body, in which sometimes one value is wrong. The servers look for mistakes in different orders, so it names no user that is there.
 * @param required Default: all parts
 */
function body(parts: Parts, required: readonly string[] = Object.keys(parts)): fc.Arbitrary<object> {
  const right = fc.record(parts, { requiredKeys: [...required] })
  const unused = fc.nat().map((n) => ({ username: `unused-${n}`, email: `unused-${n}@example.org` }))
  const faulty = fc
    .tuple(right, unused, fc.constantFrom(...Object.keys(parts)), wrong)
    .map(([data, values, attribute, value]) => ({
      ...data,
      ...Object.fromEntries(Object.entries(values).filter(([key]) => key in data)),
      [attribute]: value,
    }))
  return fc.oneof({ weight: 8, arbitrary: right }, { weight: 1, arbitrary: faulty })
}

const user = {
  username: name,
  email,
  password,
  role: fc.oneof<fc.Arbitrary<unknown>[]>(
    role,
    role.map(String),
    role.map((at) => ({ connect: [{ id: at }], disconnect: [{ id: 3 - at }] })),
  ),
  confirmed: fc.boolean(),
  blocked: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.boolean()),
}

const writes: fc.Arbitrary<Request> = fc.oneof(
  {
    weight: 4,
    arbitrary: body(user, ['username', 'email', 'password', 'role']).map(
      (data): Request => ({ method: 'POST', path: '/api/users', data }),
    ),
  },
  {
    weight: 6,
    arbitrary: fc
      .tuple(place, body(user, []))
      .map(([target, data]): Request => ({ method: 'PUT', path: '/api/users/{id}', data, target })),
  },
  {
    weight: 1,
    arbitrary: place.map((target): Request => ({ method: 'DELETE', path: '/api/users/{id}', target })),
  },
)

const logins: fc.Arbitrary<Request> = fc.oneof(
  body({ identifier: fc.oneof(email, name), password }).map(
    (data): Request => ({ method: 'POST', path: '/api/auth/local', data }),
  ),
  body({ username: name, email, password }).map(
    (data): Request => ({ method: 'POST', path: '/api/auth/local/register', data }),
  ),
)

const own: fc.Arbitrary<Request> = fc.oneof(
  fc.tuple(place, all(sometimes(populate), sometimes(fields))).map(([caller, query]): Request => ({
    method: 'GET',
    path: `/api/users/me?${query}`,
    caller,
  })),
  fc
    .tuple(place, password, fc.oneof(password, wrong), fc.boolean())
    .map(([caller, currentPassword, next, isRepeated]): Request => ({
      method: 'POST',
      path: '/api/auth/change-password',
      data: { currentPassword, password: next, passwordConfirmation: isRepeated ? next : 'other' },
      caller,
    })),
)

const requests = fc.oneof(
  { weight: 5, arbitrary: reads },
  { weight: 5, arbitrary: writes },
  { weight: 2, arbitrary: logins },
  { weight: 2, arbitrary: own },
)

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
    const request = drawn as Request // one was asked for
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
