/** Root fields of accounts, roles and files: each is a request of the route that REST has. */
import type { Octavo, RequestState } from '@octavo/core'
import type { Received } from '@octavo/server'
import type { FieldNode } from 'graphql'
import { existing } from '../errors.ts'
import { UploadedFile } from '../files.ts'
import { problem } from '../problems.ts'
import { envelopeShape } from '../read/compile.ts'
import { argumentsOf, type Compiling, rootOf } from '../read/compiling.ts'
import { Place } from '../read/place.ts'
import { type Operation, requiredIn, subfields } from '../read/selection.ts'
import {
  constant,
  idText,
  type Making,
  type Member,
  nameOf,
  objectOf,
  plain,
  type Shape,
} from '../read/shape.ts'
import { fileUid, userUid } from '../schema/roots.ts'

/** Makes a request of a route. @returns the body of its answer. @throws OctavoError */
export type Perform = (request: {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the prefix. */
  readonly path: string
  readonly query?: string
  readonly body?: Values
  /** Fields and files in place of a body. */
  readonly received?: Received
  /** Whether it is made without the token of the caller. */
  readonly anonymous?: boolean
}) => Promise<unknown>

type Values = Readonly<Record<string, unknown>>

export interface AccountCall {
  readonly perform: Perform
  readonly octavo: Octavo
  /** Reads the role of the caller. */
  readonly everything: RequestState
}

type Runner = (
  values: Values,
  nodes: readonly FieldNode[],
  compiling: Compiling,
  call: AccountCall,
  making: Making,
) => Promise<unknown>

/** The own account, with its role: callers see the name of theirs without the permission to read roles, as in the reference. */
async function me({ perform, octavo, everything }: AccountCall): Promise<unknown> {
  const user = (await perform({ method: 'GET', path: '/users/me' })) as Values
  const found = await octavo
    .entries(userUid, everything)
    .findOne(Number(user.id), { fields: ['username'], populate: { role: true } })
  const role = found?.attributes.role as
    | { readonly data: { id: number; attributes: Values } | null }
    | undefined
  return { ...user, role: role?.data ? { id: role.data.id, ...role.data.attributes } : null }
}

/** The root fields of other plugins that are no entries of content-types, by name. */
export const accountFields: Readonly<Record<string, Runner>> = {
  me: async (_values, nodes, { operation }, call, making) =>
    meShape(nodes, operation)(await me(call), making),
  login: async ({ input }, ...rest) => {
    const { identifier, password, provider } = input as Values
    if (provider !== 'local') throw problem('graphql/provider')
    return session('/auth/local', { identifier, password }, ...rest)
  },
  register: ({ input }, ...rest) => session('/auth/local/register', input as Values, ...rest),
  resetPassword: (values, ...rest) => session('/auth/reset-password', values, ...rest),
  changePassword: (values, ...rest) => session('/auth/change-password', values, ...rest),
  forgotPassword: (values, ...rest) => ok('POST', '/auth/forgot-password', values, ...rest),
  emailConfirmation: async ({ confirmation }, _nodes, _compiling, { perform }) => {
    await perform({
      method: 'GET',
      path: '/auth/email-confirmation',
      query: `confirmation=${encodeURIComponent(String(confirmation))}`,
    })
    // The route gives no token.
    return null
  },
  createUsersPermissionsUser: ({ data }, ...rest) => user('POST', '/users', data as Values, ...rest),
  updateUsersPermissionsUser: ({ id, data }, ...rest) =>
    user('PUT', `/users/${encoded(id)}`, data as Values, ...rest),
  deleteUsersPermissionsUser: ({ id }, ...rest) => user('DELETE', `/users/${encoded(id)}`, {}, ...rest),
  createUsersPermissionsRole: ({ data }, ...rest) =>
    ok('POST', '/users-permissions/roles', data as Values, ...rest),
  updateUsersPermissionsRole: ({ id, data }, ...rest) =>
    ok('PUT', `/users-permissions/roles/${encoded(id)}`, data as Values, ...rest),
  deleteUsersPermissionsRole: ({ id }, ...rest) =>
    ok('DELETE', `/users-permissions/roles/${encoded(id)}`, {}, ...rest),
  updateFileInfo: async ({ id, info }, nodes, compiling, { perform, octavo }, making) => {
    const body = { fileInfo: JSON.stringify(info ?? {}) }
    const file = await perform({ method: 'POST', path: '/upload', query: `id=${encoded(id)}`, body })
    return entityOf(file, fileUid, nodes, compiling, octavo, making)
  },
  removeFile: async ({ id }, nodes, compiling, { perform, octavo }, making) => {
    const file = await existing(perform({ method: 'DELETE', path: `/upload/files/${encoded(id)}` }))
    return file && entityOf(file, fileUid, nodes, compiling, octavo, making)
  },
  upload: async ({ file, ...given }, nodes, compiling, call, making) => {
    const [record] = await received([file], given, call.perform)
    return entityOf(record, fileUid, nodes, compiling, call.octavo, making)
  },
  multipleUpload: async ({ files, ...given }, nodes, compiling, call, making) => {
    const list = files as readonly unknown[]
    // The route refuses a request without files.
    const records = list.length === 0 ? [] : await received(list, given, call.perform)
    return records.map((record) => entityOf(record, fileUid, nodes, compiling, call.octavo, making))
  },
}

/** Files as the route of uploads takes them. @returns their records */
async function received(
  given: readonly unknown[],
  { info, ...fields }: Values,
  perform: Perform,
): Promise<readonly unknown[]> {
  const files = given.flatMap((file) =>
    file instanceof UploadedFile ? { ...file.take(), field: 'files' } : [],
  )
  const parts = {
    ...Object.fromEntries(
      Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
    ),
    ...(info !== undefined && info !== null && { fileInfo: JSON.stringify(info) }),
  }
  const body = { fields: parts, files, discard: async () => {} }
  return (await perform({ method: 'POST', path: '/upload', received: body })) as readonly unknown[] // the list of the route
}

const encoded = (id: unknown): string => encodeURIComponent(String(id))

/** Fields for everybody, as in the reference: a client may still send the token of an earlier session with a login. */
const ofEverybody = /^(?:login|register|forgotPassword|resetPassword|emailConfirmation)$/

export const runAccountField = (
  name: string,
  of: 'Query' | 'Mutation',
  nodes: readonly FieldNode[],
  compiling: Compiling,
  call: AccountCall,
  making: Making,
): Promise<unknown> => {
  const run = Object.hasOwn(accountFields, name) ? accountFields[name] : undefined
  if (!run) throw problem('graphql/not-available')
  const caller = ofEverybody.test(name)
    ? ({ ...call, perform: (request) => call.perform({ ...request, anonymous: true }) } satisfies AccountCall)
    : call
  return run(argumentsOf(nodes, of, compiling), nodes, compiling, caller, making)
}

/** `{ ok }` */
async function ok(
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  body: Values,
  nodes: readonly FieldNode[],
  { operation }: Compiling,
  { perform }: AccountCall,
  making: Making,
): Promise<unknown> {
  const answer = await perform({ method, path, ...(method !== 'DELETE' && { body }) })
  const kind = path.startsWith('/auth')
    ? 'Password'
    : `${{ POST: 'Create', PUT: 'Update', DELETE: 'Delete' }[method]}Role`
  return flatShape(nodes, `UsersPermissions${kind}Payload`, operation)(answer, making)
}

/** `{ jwt user { … } }` of a route that begins a session. */
async function session(
  path: string,
  body: Values,
  nodes: readonly FieldNode[],
  { operation }: Compiling,
  { perform }: AccountCall,
  making: Making,
): Promise<unknown> {
  const answer = (await perform({ method: 'POST', path, body })) as Values
  // As in the reference, the user comes without relations: its role is null.
  const nested = { user: (given: readonly FieldNode[]) => meShape(given, operation) }
  return flatShape(nodes, 'UsersPermissionsLoginPayload', operation, nested)(answer, making)
}

const meShape = (nodes: readonly FieldNode[], operation: Operation): Shape =>
  flatShape(nodes, 'UsersPermissionsMe', operation, {
    role: (given) => flatShape(given, 'UsersPermissionsMeRole', operation),
  })

/** An object whose fields are values, but for those in `nested`. */
const flatShape = (
  nodes: readonly FieldNode[],
  name: string,
  operation: Operation,
  nested: Readonly<Record<string, (given: readonly FieldNode[]) => Shape>> = {},
): Shape =>
  objectOf(
    [...subfields(nodes, name, operation)].map(([key, given]): Member => {
      const from = nameOf(given)
      const value = from === '__typename' ? constant(name) : from === 'id' ? idText : plain
      return { key, from, shape: nested[from]?.(given) ?? value, ...requiredIn(name, from, operation) }
    }),
  )

async function user(
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  body: Values,
  nodes: readonly FieldNode[],
  compiling: Compiling,
  { perform, octavo }: AccountCall,
  making: Making,
): Promise<unknown> {
  const asked = perform({ method, path, ...(method !== 'DELETE' && { body }) })
  const answer = await (method === 'DELETE' ? existing(asked) : asked)
  const { role, ...rest } = (answer ?? {}) as Values
  const entry = answer && { ...rest, role: enveloped(role) }
  return entityOf(entry, userUid, nodes, compiling, octavo, making)
}

/** `{ data { id attributes { … } } }` of an entry without its envelope. */
function entityOf(
  bare: unknown,
  uid: string,
  nodes: readonly FieldNode[],
  compiling: Compiling,
  { registry }: Octavo,
  making: Making,
): unknown {
  const type = registry.contentType(uid)
  const envelope = uid === userUid ? 'UsersPermissionsUserEntityResponse' : 'UploadFileEntityResponse'
  const here = rootOf(new Place(type), 'live')
  return envelopeShape(nodes, type, envelope, here, compiling)(enveloped(bare), making)
}

function enveloped(bare: unknown): { readonly data: unknown } {
  if (typeof bare !== 'object' || bare === null) return { data: null }
  const { id, ...attributes } = bare as Values
  return { data: { id, attributes } }
}
