/** Random requests about users, roles and logins, as an administrator and as the users themselves send them. */
import fc from 'fast-check'
import { day, word } from './values.ts'

export interface AccountRequest {
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

const reads: fc.Arbitrary<AccountRequest> = fc.oneof(
  {
    weight: 6,
    arbitrary: all(order, sometimes(comparison), sometimes(populate), sometimes(page)).map(
      (query): AccountRequest => ({ method: 'GET', path: `/api/users?${query}` }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(place, all(sometimes(populate), sometimes(fields)))
      .map(
        ([target, query]): AccountRequest => ({ method: 'GET', path: `/api/users/{id}?${query}`, target }),
      ),
  },
  {
    weight: 2,
    arbitrary: all(sometimes(comparison)).map(
      (query): AccountRequest => ({ method: 'GET', path: `/api/users/count?${query}` }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('roles', 'roles/77')
      .map((path): AccountRequest => ({ method: 'GET', path: `/api/users-permissions/${path}` })),
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

const writes: fc.Arbitrary<AccountRequest> = fc.oneof(
  {
    weight: 4,
    arbitrary: body(user, ['username', 'email', 'password', 'role']).map(
      (data): AccountRequest => ({ method: 'POST', path: '/api/users', data }),
    ),
  },
  {
    weight: 6,
    arbitrary: fc
      .tuple(place, body(user, []))
      .map(([target, data]): AccountRequest => ({ method: 'PUT', path: '/api/users/{id}', data, target })),
  },
  {
    weight: 1,
    arbitrary: place.map((target): AccountRequest => ({ method: 'DELETE', path: '/api/users/{id}', target })),
  },
)

const logins: fc.Arbitrary<AccountRequest> = fc.oneof(
  body({ identifier: fc.oneof(email, name), password }).map(
    (data): AccountRequest => ({ method: 'POST', path: '/api/auth/local', data }),
  ),
  body({ username: name, email, password }).map(
    (data): AccountRequest => ({ method: 'POST', path: '/api/auth/local/register', data }),
  ),
)

const own: fc.Arbitrary<AccountRequest> = fc.oneof(
  fc.tuple(place, all(sometimes(populate), sometimes(fields))).map(
    ([caller, query]): AccountRequest => ({
      method: 'GET',
      path: `/api/users/me?${query}`,
      caller,
    }),
  ),
  fc.tuple(place, password, fc.oneof(password, wrong), fc.boolean()).map(
    ([caller, currentPassword, next, isRepeated]): AccountRequest => ({
      method: 'POST',
      path: '/api/auth/change-password',
      data: { currentPassword, password: next, passwordConfirmation: isRepeated ? next : 'other' },
      caller,
    }),
  ),
)

export const requests: fc.Arbitrary<AccountRequest> = fc.oneof(
  { weight: 5, arbitrary: reads },
  { weight: 5, arbitrary: writes },
  { weight: 2, arbitrary: logins },
  { weight: 2, arbitrary: own },
)
