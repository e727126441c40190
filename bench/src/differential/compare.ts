/** Compares two answers to one request. */

export interface Answer {
  readonly status: number
  readonly body: unknown
}

/**
 * @param sent The JSON of the body.
 * @param token Of the user who sends it. Default: everybody
 */
export async function ask(
  url: string,
  method: string,
  path: string,
  sent?: string | FormData,
  token?: string,
): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(typeof sent === 'string' && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(sent !== undefined && { body: sent }),
  })
  return { status: response.status, body: await response.json() }
}

/**
 * The differences of an answer from that of the reference, each as a line with its place; none for an answer of 500 of the reference, whose
 * place Octavo's 400 has. Of a refusal the name and the places of mistakes count; Octavo names further places.
 *
 * Ids of components, times of the run, tokens, random parts of the names of files and the sizes of encoded pictures differ between any two servers.
 */
export function differences(reference: Answer, octavo: Answer): readonly string[] {
  if (octavo.status >= 500) return [`${octavo.status}: ${messageOf(octavo)}`]
  if (reference.status >= 500) return []
  if (reference.status !== octavo.status)
    return [`${octavo.status} ${messageOf(octavo)}, wanted ${reference.status} ${messageOf(reference)}`]
  if (reference.status < 400)
    return [...inValues(comparable(reference.body), comparable(octavo.body), '')].slice(0, 5)
  const [wanted, given] = [errorOf(reference), errorOf(octavo)]
  const missing = placesOf(wanted).filter((place) => !placesOf(given).includes(place))
  return [
    ...(wanted.name === given.name ? [] : [`error ${given.name}, wanted ${wanted.name}`]),
    ...missing.map((place) => `no mistake at ${place}`),
  ]
}

interface RestError {
  readonly name?: string
  readonly message?: string
  readonly details?: { readonly errors?: readonly { readonly path: readonly string[] }[] }
}

const errorOf = ({ body }: Answer): RestError => (body as { readonly error?: RestError }).error ?? {}
const messageOf = (answer: Answer): string => errorOf(answer).message ?? ''
const placesOf = ({ details }: RestError): readonly string[] =>
  details?.errors?.map(({ path }) => path.join('.')).filter(Boolean) ?? []

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** @param isInside Whether the value is inside the attributes of an entry. */
function comparable(value: unknown, key = '', isInside = false): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => comparable(item, key, isInside))
    return key === 'localizations' ? items.toSorted(byId) : items
  }
  if (isObject(value)) {
    const isEntry = 'attributes' in value
    const isPicture = String(value.mime).startsWith('image/')
    const isOwn = (name: string): boolean =>
      (name === 'id' && isInside && !isEntry) ||
      (name === 'meta' && isEntry) ||
      (isPicture && ['size', 'sizeInBytes'].includes(name))
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => !isOwn(name))
        .map(([name, part]) => [
          name,
          comparable(part, name === 'data' ? key : name, isInside || name === 'attributes'),
        ]),
    )
  }
  if (typeof value !== 'string') return value
  if (key === 'jwt') return 'a token'
  if (/At$/.test(key) && Date.parse(value) > Date.parse('2025-01-01')) return 'a time of this run'
  return key === 'hash' || key === 'url' ? value.replace(/_[0-9a-f]{10}(?=\.|$)/, '_random') : value
}

/** Octavo has the entries in other locales in the order of their ids. */
const byId = (one: unknown, other: unknown): number => idOf(one) - idOf(other)
const idOf = (entry: unknown): number => (entry as { readonly id: number }).id

function* inValues(wanted: unknown, given: unknown, at: string): Generator<string> {
  if (wanted === given) return
  if (Array.isArray(wanted) && Array.isArray(given)) {
    if (wanted.length !== given.length) yield `${at}: ${given.length} items, wanted ${wanted.length}`
    for (let i = 0; i < Math.min(wanted.length, given.length); i++)
      yield* inValues(wanted[i], given[i], `${at}[${i}]`)
  } else if (isObject(wanted) && isObject(given)) {
    for (const key of new Set([...Object.keys(wanted), ...Object.keys(given)]))
      yield* inValues(wanted[key], given[key], at === '' ? key : `${at}.${key}`)
  } else yield `${at}: ${shown(given)}, wanted ${shown(wanted)}`
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 120)
