import { type AnswerTags, ConfigurationError } from '@octavo/core'
import type { ContentType } from '@octavo/core/plugin'
import type { Context } from 'koa'

export interface CacheOptions {
  /**
   * The header with the tags of an answer: `Surrogate-Key` (Fastly, Varnish; spaces between) or `Cache-Tag`
   * (Cloudflare, Akamai; commas). Default: none. The answer is parsed for it.
   */
  readonly tags?: 'Surrogate-Key' | 'Cache-Tag'
}

/** Maximum bytes of a header with tags. Caches truncate longer ones. */
const longest = 8 * 1024

/**
 * The value of `options.cacheControl` of a content-type: `public, max-age=60`.
 * @throws ConfigurationError that names the type.
 */
export function cacheControlOf({ uid, options }: Pick<ContentType, 'uid' | 'options'>): string | undefined {
  const { cacheControl } = options
  if (cacheControl === undefined || cacheControl === null) return undefined
  if (typeof cacheControl === 'string' && /^[\w-]+(=[\w-]+)?(, ?[\w-]+(=[\w-]+)?)*$/.test(cacheControl))
    return cacheControl
  throw new ConfigurationError(
    `${uid}: options.cacheControl must be the value of a Cache-Control header, such as "public, max-age=60", not ${JSON.stringify(cacheControl)}`,
  )
}

/** Sets `Cache-Control` and the tags of an answer to a read. */
export function setCaching(
  context: Context,
  type: ContentType,
  { tags: header }: CacheOptions,
  tags: AnswerTags | undefined,
): void {
  const cacheControl = cacheControlOf(type)
  if (cacheControl !== undefined) {
    // Responses to authenticated requests are private, and never served from a shared cache.
    const { authorization, cookie } = context.req.headers
    const hasCredentials = authorization !== undefined || cookie !== undefined
    context.set('Cache-Control', hasCredentials ? 'private, no-cache' : cacheControl)
    context.vary('Authorization, Cookie')
  }
  if (header && tags) context.set(header, tagsHeader(tags, header === 'Cache-Tag' ? ',' : ' '))
}

/** The tags, with `<type>:any` in place of entries whose tags would be too long. */
function tagsHeader({ entries, types }: AnswerTags, separator: string): string {
  const all = [...types, ...entries].join(separator)
  if (Buffer.byteLength(all) <= longest) return all
  const any = new Set(entries.map((tag) => `${tag.slice(0, tag.lastIndexOf('/'))}:any`))
  return [...types, ...any].join(separator)
}
