import { hash } from 'node:crypto'
import type { Context } from 'koa'
import { problem } from '../error/problems.ts'

/** Characters of a text from which its tag is not kept. */
const longest = 100_000

/** The last text with its tag: answers that shared a read have the same text, and comparing it takes a tenth of the time of a hash. */
let last: { readonly body: string | undefined; readonly etag: string } = { body: undefined, etag: '' }

/** A strong ETag: equal for equal texts, given as text or in UTF-8. */
export function etagOf(body: string | Buffer): string {
  if (body === last.body) return last.etag
  const etag = `"${hash('sha1', body, 'base64url')}"`
  // A large one would stay in memory until the next answer.
  if (typeof body === 'string' && body.length < longest) last = { body, etag }
  return etag
}

/** A compressed answer has the weak form of its ETag, since its bytes differ. */
export function weaken({ res }: Context): void {
  const etag = res.getHeader('ETag')
  if (typeof etag === 'string' && etag.startsWith('"')) res.setHeader('ETag', `W/${etag}`)
}

/**
 * Takes the JSON of the version that is stored, `undefined` where there is none.
 * @throws PreconditionFailedError (412) for a version that the request does not name
 */
export type VersionCheck = (current: string | undefined) => void

/**
 * The check of `If-Match`; `undefined` without the header. An ETag identifies the JSON of an entry or a role, for example, so its
 * weak form, which compressed answers have, counts as well.
 *
 * @param bodyOf The body of an answer with this JSON. Default: the JSON itself.
 */
export function ifMatch(
  { req }: Pick<Context, 'req'>,
  bodyOf: (data: string) => string = (data) => data,
): VersionCheck | undefined {
  const given = req.headers['if-match']
  if (given === undefined) return undefined
  const tags = given.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return (current) => {
    if (current === undefined || !(tags.includes('*') || tags.includes(etagOf(bodyOf(current)))))
      throw problem('precondition/changed')
  }
}
