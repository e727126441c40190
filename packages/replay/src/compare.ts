/** A difference of two answers, with its place. */
export interface Difference {
  readonly kind:
    | 'status'
    | 'content type'
    | 'missing'
    | 'added'
    | 'order'
    | 'entries'
    | 'length'
    | 'type'
    | 'value'
    | 'bytes'
  /** The place in the JSON, with list indexes as `*`: `data[*].attributes.title`; empty for the answer as a whole. */
  readonly at: string
  /** The value of each server at the path, as JSON text of at most 200 characters; of a list of entries their ids. */
  readonly old: string
  readonly new: string
  /** Of `entries`: the ids that only one of the servers has. */
  readonly onlyOld?: readonly string[]
  readonly onlyNew?: readonly string[]
}

/** The compared parts of an answer. */
export interface Answer {
  readonly status: number
  /** Without parameters, e.g. `application/json`. */
  readonly contentType: string
  /** The parsed JSON, or a hash of the bytes when the answer is not JSON. */
  readonly body: unknown
  readonly isJson: boolean
}

/** Maximum differences listed per answer; a list that is shifted by one entry would have thousands. */
const most = 20

/**
 * The differences of two answers; the order of keys in an object does not count. Errors agree when their status, name and the paths in
 * `details.errors` do: messages and codes are for people.
 *
 * @param ignored Paths that are not compared, with everything below them: `meta.requestId`, `data[*].attributes.updatedAt`.
 */
export function compare(
  old: Answer,
  now: Answer,
  ignored: ReadonlySet<string> = new Set(),
): readonly Difference[] {
  if (old.status !== now.status)
    return [{ kind: 'status', at: '', old: statusText(old), new: statusText(now) }]
  if (old.contentType !== now.contentType)
    return [{ kind: 'content type', at: '', old: old.contentType, new: now.contentType }]
  if (!old.isJson || !now.isJson)
    return old.body === now.body
      ? []
      : [{ kind: 'bytes', at: '', old: shown(old.body), new: shown(now.body) }]
  const found: Difference[] = []
  const isError = old.status >= 400
  const [was, is] = [old, now].map(({ body }) => (isError ? comparedError(body) : body))
  compareValues(was, is, '', ignored, found)
  return withoutConsequences(found)
}

/** Without other totals of a list that has other entries: they are one difference. */
function withoutConsequences(found: readonly Difference[]): readonly Difference[] {
  const hasOthers = found.some(({ kind, at }) => at === 'data' && (kind === 'entries' || kind === 'length'))
  return hasOthers ? found.filter(({ at }) => !/^meta\.pagination\.(?:total|pageCount)$/.test(at)) : found
}

/** `404 NotFoundError: Not Found`, or the status alone. */
function statusText({ status, body }: Answer): string {
  const error = isObject(body) && isObject(body.error) ? body.error : {}
  const words = [error.name, error.message].filter((word) => typeof word === 'string' && word !== '')
  return words.length === 0 ? String(status) : cut(`${status} ${words.join(': ')}`)
}

/** The parts of an error that clients rely on; any other body as it is. */
function comparedError(body: unknown): unknown {
  if (!isObject(body) || !isObject(body.error)) return body
  const { status, name, details } = body.error
  const errors = isObject(details) && Array.isArray(details.errors) ? details.errors : []
  const paths = errors.map((error: unknown) => (isObject(error) ? canonical(error.path) : '')).toSorted()
  return { ...body, error: { status, name, ...(paths.length > 0 && { paths }) } }
}

function compareValues(
  old: unknown,
  now: unknown,
  at: string,
  ignored: ReadonlySet<string>,
  found: Difference[],
): void {
  if (found.length >= most || ignored.has(at) || Object.is(old, now)) return
  const add = (kind: Difference['kind']): void =>
    void found.push({ kind, at, old: shown(old), new: shown(now) })
  if (typeOf(old) !== typeOf(now)) {
    add('type')
  } else if (Array.isArray(old) && Array.isArray(now)) {
    compareLists(old, now, at, ignored, found)
  } else if (isObject(old) && isObject(now)) {
    for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
      const below = at === '' ? key : `${at}.${key}`
      if (ignored.has(below) || found.length >= most) continue
      if (!Object.hasOwn(now, key)) found.push({ kind: 'missing', at: below, old: shown(old[key]), new: '' })
      else if (!Object.hasOwn(old, key))
        found.push({ kind: 'added', at: below, old: '', new: shown(now[key]) })
      else compareValues(old[key], now[key], below, ignored, found)
    }
  } else {
    add('value')
  }
}

/** Lists of entries are compared by their ids: other entries and another order are one difference, besides those in the entries. */
function compareLists(
  old: readonly unknown[],
  now: readonly unknown[],
  at: string,
  ignored: ReadonlySet<string>,
  found: Difference[],
): void {
  const [before, after] = [keysOf(old), keysOf(now)]
  const pairs = (list: readonly unknown[]): readonly (readonly [unknown, unknown])[] =>
    list.map((item, i) => [item, now[i]] as const)
  const compareAll = (list: readonly (readonly [unknown, unknown])[]): void => {
    for (const [item, other] of list) compareValues(item, other, `${at}[*]`, ignored, found)
  }
  if (!before || !after) {
    if (old.length !== now.length) found.push({ kind: 'length', at, old: shown(old), new: shown(now) })
    else if (isReordered(old, now)) found.push({ kind: 'order', at, old: shown(old), new: shown(now) })
    else compareAll(pairs(old))
    return
  }
  if (before.join('\n') === after.join('\n')) {
    compareAll(pairs(old))
    return
  }
  const only = (list: readonly string[], other: readonly string[]): readonly string[] =>
    list.filter((key) => !other.includes(key))
  const [onlyOld, onlyNew] = [only(before, after), only(after, before)]
  const ids = { at, old: before.join(', '), new: after.join(', ') }
  const isOrder = onlyOld.length + onlyNew.length === 0 && old.length === now.length
  found.push(isOrder ? { kind: 'order', ...ids } : { kind: 'entries', ...ids, onlyOld, onlyNew })
  compareAll(
    old.flatMap((item, i) => {
      const place = after.indexOf(before[i] ?? '')
      return place === -1 ? [] : [[item, now[place]] as const]
    }),
  )
}

/** The ids of entries, with the content-type or component of items that name one; `undefined` for a list of anything else. */
function keysOf(list: readonly unknown[]): readonly string[] | undefined {
  const keys = list.map((item) => {
    if (!isObject(item) || !Object.hasOwn(item, 'id')) return undefined
    const type = item.__type ?? item.__component
    return typeof type === 'string' ? `${type} ${String(item.id)}` : String(item.id)
  })
  return keys.every((key) => key !== undefined) ? keys : undefined
}

/** Whether two lists of other values have the same items in another order. */
function isReordered(old: readonly unknown[], now: readonly unknown[]): boolean {
  const [a, b] = [old.map(canonical), now.map(canonical)]
  return a.join('\n') !== b.join('\n') && a.toSorted().join('\n') === b.toSorted().join('\n')
}

/** The JSON of a value with its keys in order. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value) ?? ''
  return `{${Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)
    .join(',')}}`
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value

const shown = (value: unknown): string => cut(JSON.stringify(value) ?? '')

const cut = (text: string): string => (text.length > 200 ? `${text.slice(0, 199)}…` : text)
