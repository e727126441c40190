/** The requests about users that GraphQL has as well, as operations. */
import type { AccountRequest } from './account-requests.ts'
import type { Answer } from './compare.ts'
import { comparableAnswer, type GraphqlKind } from './graphql-answers.ts'

export interface Operation {
  readonly document: string
  readonly variables: object
}

const user = 'data { id attributes { username email provider confirmed blocked } }'
const payload = 'user { id username email confirmed blocked role { id name type } }'

type Make = (data: object | undefined, id: number | undefined) => Operation

/** By the method and the path of the request. The reference adds a token to the answer of a login. */
const operations: Readonly<Record<string, Make>> = {
  'POST /api/users': (data) => ({
    document: `mutation ($data: UsersPermissionsUserInput!) { createUsersPermissionsUser(data: $data) { ${user} } }`,
    variables: { data },
  }),
  'PUT /api/users/{id}': (data, id) => ({
    document: `mutation ($id: ID!, $data: UsersPermissionsUserInput!) { updateUsersPermissionsUser(id: $id, data: $data) { ${user} } }`,
    variables: { id, data },
  }),
  'DELETE /api/users/{id}': (_, id) => ({
    document: `mutation ($id: ID!) { deleteUsersPermissionsUser(id: $id) { ${user} } }`,
    variables: { id },
  }),
  'POST /api/auth/local': (input) => ({
    document: `mutation ($input: UsersPermissionsLoginInput!) { login(input: $input) { ${payload} } }`,
    variables: { input },
  }),
  'POST /api/auth/local/register': (input) => ({
    document: `mutation ($input: UsersPermissionsRegisterInput!) { register(input: $input) { ${payload} } }`,
    variables: { input },
  }),
  'POST /api/auth/change-password': (data) => ({
    document: `mutation ($currentPassword: String!, $password: String!, $passwordConfirmation: String!) {
      changePassword(currentPassword: $currentPassword, password: $password, passwordConfirmation: $passwordConfirmation) { ${payload} } }`,
    variables: data ?? {},
  }),
}

/** `undefined` for a request that GraphQL has in another form. @param id Of the user in the path. */
export const operationOf = (
  { method, path, data }: AccountRequest,
  id: number | undefined,
): Operation | undefined => operations[`${method} ${path}`]?.(data, id)

interface Payload {
  readonly user?: { readonly id: string }
  readonly data?: { readonly id: string; readonly attributes: object } | null
}

/** The answer of an operation as that of the route. */
export function asRoute(answer: Answer): Answer {
  const { status, body } = comparableAnswer(answer)
  const { data, errors } = body as {
    readonly data?: Readonly<Record<string, Payload | null>> | null
    readonly errors: readonly GraphqlKind[]
  }
  if (errors.length > 0)
    return { status: Math.max(status, 400), body: { error: { name: JSON.stringify(errors) } } }
  const [payload] = Object.values(data ?? {})
  if (payload?.user) return { status, body: { user: { ...payload.user, id: Number(payload.user.id) } } }
  return {
    status,
    body: payload?.data ? { ...payload.data.attributes, id: Number(payload.data.id) } : payload?.data,
  }
}
