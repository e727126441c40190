/** The requests that a route answers, by its path. */
import type { Method } from '../request/endpoints.ts'

/** Routes with the same key answer the same requests. */
export const keyOf = (method: Method, path: string): string =>
  `${method} ${path.toLowerCase().replace(/:\w+/g, ':')}`

/** First segment and number of segments: `/api/Articles/count` → `articles 2`. */
export function shapeOf(path: string, prefix: string): string {
  const segments = path.slice(prefix.length).split('/').filter(Boolean)
  return `${segments[0]?.toLowerCase()} ${segments.length}`
}

/** Whether a path has no parameters, optional parts or wildcards. */
export const isExact = (path: string): boolean => !/[^\w/.~-]/.test(path)

/** `/:type/count`, `/articles{/:id}/count`, `/articles/*rest`. */
export const isOpen = (path: string, prefix: string): boolean =>
  /[{}*]/.test(path) || (path.startsWith(prefix) && path.startsWith(':', prefix.length + 1))
