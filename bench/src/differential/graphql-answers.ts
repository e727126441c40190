/** Sends operations of GraphQL, and makes their answers comparable. */
import type { Answer } from './compare.ts'

/**
 * The answer of a mutation as that of REST.
 * @param isLenient Whether an answer with data is a success, whatever it may not show.
 */
export function asRest({ status, body }: Answer, isLenient = false): Answer {
  const { data, errors } = body as {
    readonly data?: Readonly<Record<string, unknown>>
    readonly errors: readonly GraphqlKind[]
  }
  const [entry] = Object.values(data ?? {}) as readonly ({
    readonly data: { readonly id: string } | null
  } | null)[]
  if (errors.length === 0 || (isLenient && entry?.data))
    return { status, body: { data: entry?.data && { ...entry.data, id: Number(entry.data.id) } } }
  return { status: Math.max(status, 400), body: { error: { name: JSON.stringify(errors) } } }
}

/** @param token Of the user who sends it. Default: everybody */
export async function send(
  url: string,
  document: string,
  variables?: object,
  token?: string,
): Promise<Answer> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ query: document, variables }),
  })
  return { status: response.status, body: await response.json() }
}

interface GraphqlBody {
  readonly data?: unknown
  readonly errors?: readonly GraphqlError[]
}

interface GraphqlError {
  readonly message?: string
  readonly path?: readonly (string | number)[]
  readonly extensions?: { readonly code?: string; readonly error?: { readonly name?: string } }
}

export interface GraphqlKind {
  readonly path: GraphqlError['path']
  readonly code: string | undefined
  readonly name: string | undefined
}

/** Whether an error is that of a draft without a value that the schema requires. Octavo's error has the place of the root field. */
const lacks = (error: GraphqlError): boolean =>
  error.message?.startsWith('Cannot return null for non-nullable field') === true

/**
 * The answer without messages: its data, and the place, code and name of each error, except that of a draft without a required value. An answer with an error of the server itself
 * has the status 500.
 */
export function comparableAnswer({ status, body }: Answer): Answer {
  const { data, errors = [] } = body as GraphqlBody
  const kinds = errors
    .filter((error) => !lacks(error))
    .map(
      ({ path, extensions }): GraphqlKind => ({
        path,
        code: extensions?.code,
        name: extensions?.error?.name,
      }),
    )
  const isFault = kinds.some(({ code }) => code === 'INTERNAL_SERVER_ERROR')
  return { status: isFault ? 500 : status, body: { data, errors: kinds } }
}
