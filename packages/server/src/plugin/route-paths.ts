/** The requests that a route answers, by its path. */
import type { Method } from '../request/endpoints.ts'

/** Routes with the same key answer the same requests. */
export const keyOf = (method: Method, path: string): string =>
  `${method} ${path.toLowerCase().replace(/:\w+/g, ':')}`

/**
 * First segment and number of segments: `/api/Articles/count` → `articles 2`. Every request for content asks for it, so that it makes no list
 * of the segments. A path has no empty segments but for a slash at its end.
 */
export function shapeOf(path: string, prefix: string): string {
  const from = prefix.length + 1
  const second = path.indexOf('/', from)
  const first = path.slice(from, second === -1 ? undefined : second).toLowerCase()
  let count = first === '' ? 0 : 1
  for (let at = second; at !== -1 && at < path.length - 1; at = path.indexOf('/', at + 1)) count += 1
  return `${first} ${count}`
}

/** Whether a path has no parameters, optional parts or wildcards. */
export const isExact = (path: string): boolean => !/[^\w/.~-]/.test(path)

/** `/:type/count`, `/articles{/:id}/count`, `/articles/*rest`. */
export const isOpen = (path: string, prefix: string): boolean =>
  /[{}*]/.test(path) || (path.startsWith(prefix) && path.startsWith(':', prefix.length + 1))
