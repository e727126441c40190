import type { Middleware } from 'koa'
import { notFound } from '../error/errors.ts'

/** A path without escapes, empty or dot segments, or a slash at its end: it is its own normal form. */
const plain = /^(?:\/[\w~!$&'()*+,;=:@-][\w~!$&'()*+,;=:@.-]*)+$/

/** Control characters, and characters that separate segments for a browser or a file system. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression matches control characters.
const forbidden = /[\u0000-\u001f\u007f/\\]/

/**
 * Normalises a path to the one form in which it is routed, limited, authorized and logged: each segment is decoded once and encoded again
 * where a URL needs it, and a slash at the end is dropped.
 *
 *     /api/tagg%73/%31/ → /api/taggs/1      /caf%c3%a9 → /caf%C3%A9      / → /
 *
 * @returns `undefined` for a path that no route has: an escape that is not UTF-8, an encoded slash, backslash or control
 *   character, an empty segment, or a segment `.` or `..`, which clients resolve before they send.
 */
export function normalPath(path: string): string | undefined {
  if (path === '/' || plain.test(path)) return path
  if (!path.startsWith('/')) return undefined
  const segments: string[] = []
  for (const segment of path.slice(1, path.endsWith('/') ? -1 : undefined).split('/')) {
    const decoded = decodeSegment(segment)
    if (decoded === undefined || decoded === '' || decoded === '.' || decoded === '..') return undefined
    if (forbidden.test(decoded)) return undefined
    segments.push(encodeSegment(decoded))
  }
  return `/${segments.join('/')}`
}

function decodeSegment(text: string): string | undefined {
  if (/[^\x20-\x7e]/.test(text)) return undefined
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** `encodeURI` does not encode `?` and `#`, which end a path. */
const encodeSegment = (text: string): string => encodeURI(text).replaceAll('?', '%3F').replaceAll('#', '%23')

/** Normalises the path before any other middleware reads it. */
export const normalizePath = (): Middleware => (context, next) => {
  const { path } = context
  const normal = normalPath(path)
  if (normal === undefined) context.state.hasNoRoute = true
  else if (normal !== path) context.path = normal
  return next()
}

/** Answers 404 for a path without a normal form. It runs inside `answers`, which makes the envelope. */
export const refuseBadPath = (): Middleware => (context, next) => {
  if (context.state.hasNoRoute === true) throw notFound()
  return next()
}
