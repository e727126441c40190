/** Where and how two answers differ. */
export interface Difference {
  readonly kind:
    | 'status'
    | 'content type'
    | 'missing'
    | 'added'
    | 'order'
    | 'length'
    | 'type'
    | 'value'
    | 'bytes'
  /** The place in the JSON, with list indexes as `*`: `data[*].attributes.title`; empty for the answer as a whole. */
  readonly at: string
  /** The value of each server at the path, as JSON text of at most 200 characters. */
  readonly old: string
  readonly new: string
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
 * The differences of two answers; the order of keys in an object does not count.
 *
 * @param ignored Paths that are not compared, with everything below them: `meta.requestId`, `data[*].attributes.updatedAt`.
 */
export function compare(
  old: Answer,
  now: Answer,
  ignored: ReadonlySet<string> = new Set(),
): readonly Difference[] {
  if (old.status !== now.status)
    return [{ kind: 'status', at: '', old: String(old.status), new: String(now.status) }]
  if (old.contentType !== now.contentType)
    return [{ kind: 'content type', at: '', old: old.contentType, new: now.contentType }]
  if (!old.isJson || !now.isJson)
    return old.body === now.body
      ? []
      : [{ kind: 'bytes', at: '', old: shown(old.body), new: shown(now.body) }]
  const found: Difference[] = []
  compareValues(old.body, now.body, '', ignored, found)
  return found
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
    if (old.length !== now.length) add('length')
    else if (isReordered(old, now)) add('order')
    else for (const [i, item] of old.entries()) compareValues(item, now[i], `${at}[*]`, ignored, found)
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

/** Whether two lists have the same items in another order: entries by their ids, other items by their JSON text. */
function isReordered(old: readonly unknown[], now: readonly unknown[]): boolean {
  const keys = (list: readonly unknown[]): readonly string[] =>
    list.map((item) =>
      isObject(item) && Object.hasOwn(item, 'id') ? `id ${String(item.id)}` : canonical(item),
    )
  const [a, b] = [keys(old), keys(now)]
  return a.join('\n') !== b.join('\n') && a.toSorted().join('\n') === b.toSorted().join('\n')
}

/** The JSON of a value with its keys in order. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  return `{${Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)
    .join(',')}}`
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? ''
  return text.length > 200 ? `${text.slice(0, 199)}…` : text
}
