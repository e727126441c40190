import { type AnswerTags, ConfigurationError, type ContentType } from '@octavo/core'
import type { Context } from 'koa'

export interface CacheOptions {
  /**
   * The header by which an answer tells its tags: `Surrogate-Key` (Fastly, Varnish; spaces between) or `Cache-Tag`
   * (Cloudflare, Akamai; commas). Default: none. The answer is parsed for it.
   */
  readonly tags?: 'Surrogate-Key' | 'Cache-Tag'
}

/** Bytes of a header with tags. What is longer is cut by those that read it. */
const longest = 8 * 1024

/**
 * What `options.cacheControl` of a content-type says: `public, max-age=60`.
 * @throws ConfigurationError that names the type.
 */
export function cacheControlOf({ uid, options }: Pick<ContentType, 'uid' | 'options'>): string | undefined {
  const { cacheControl } = options
  if (cacheControl === undefined || cacheControl === null) return undefined
  if (typeof cacheControl === 'string' && /^[\w-]+(=[\w-]+)?(, ?[\w-]+(=[\w-]+)?)*$/.test(cacheControl))
    return cacheControl
  throw new ConfigurationError(
    `${uid}: options.cacheControl must be what a Cache-Control header says, such as "public, max-age=60", not ${JSON.stringify(cacheControl)}`,
  )
}

/** Headers by which caches keep an answer that was read, and forget it again. */
export function setCaching(
  context: Context,
  type: ContentType,
  { tags: header }: CacheOptions,
  tags: AnswerTags | undefined,
): void {
  const cacheControl = cacheControlOf(type)
  if (cacheControl !== undefined) {
    // What somebody in particular was answered is nobody else's, and what nobody was is not theirs.
    const { authorization, cookie } = context.req.headers
    const isSomebody = authorization !== undefined || cookie !== undefined
    context.set('Cache-Control', isSomebody ? 'private, no-cache' : cacheControl)
    context.vary('Authorization, Cookie')
  }
  if (header && tags) context.set(header, tagsHeader(tags, header === 'Cache-Tag' ? ',' : ' '))
}

/** Where all entries are too many to name, any entry of their types. */
function tagsHeader({ entries, types }: AnswerTags, separator: string): string {
  const all = [...types, ...entries].join(separator)
  if (Buffer.byteLength(all) <= longest) return all
  const any = new Set(entries.map((tag) => `${tag.slice(0, tag.lastIndexOf('/'))}:any`))
  return [...types, ...any].join(separator)
}
