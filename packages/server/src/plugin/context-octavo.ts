import type { QueryInput, RequestState } from '@octavo/core'
import { findType } from '@octavo/core/internal'
import type { ContentType } from '@octavo/core/plugin'
import type Koa from 'koa'
import type { Context } from 'koa'
import { answerRead, type ReadOptions } from '../answer/read-answer.ts'

/**
 * Answers of a plugin's route that are those of the content endpoints: the same query, limits, envelope and caching, and the rights
 * of the caller, who needs the permission `find` or `findOne` of the content-type.
 */
export interface ContextOctavo {
  /**
   * Answers with a page of entries, or with the entry of a single type.
   *
   * @param type The uid or the singular name of a content-type.
   * @param query Default: the query string of the request. An object replaces it.
   * @throws OctavoError: the answer of the content endpoint; Error for an unknown type
   */
  find(type: string, query?: QueryInput): Promise<void>
  /** Answers with one entry, or 404. */
  findOne(type: string, id: number, query?: QueryInput): Promise<void>
}

/** Checks whether a caller may do an action. @throws OctavoError 403 */
type Authorize = (context: Context, action: string, type: ContentType, state: RequestState) => Promise<void>

/** Adds `context.octavo` to the contexts of an application, made when a handler uses it. */
export function addContextOctavo(app: Koa, options: ReadOptions, authorize: Authorize): void {
  Object.defineProperty(app.context, 'octavo', {
    get(this: Context): ContextOctavo {
      return answersOf(this, options, authorize)
    },
  })
}

/** The answer that a handler has begun with `context.octavo` and that is not there yet, by its context. */
const begun = new WeakMap<object, Promise<void>>()

/** @throws Error when a handler has returned before its answer was there: the request would be answered without it */
export async function refuseUnawaited(context: Context): Promise<void> {
  const answer = begun.get(context)
  if (!answer) return
  await answer.catch(() => {}) // it would change the answer of the error below
  throw new Error('the handler did not wait for its answer: return or await the promise of context.octavo')
}

function answersOf(context: Context, options: ReadOptions, authorize: Authorize): ContextOctavo {
  const answer = async (
    name: string,
    action: 'find' | 'findOne',
    query: QueryInput | undefined,
    id?: number,
  ): Promise<void> => {
    const { octavo } = options
    const type = findType(octavo.registry, name)
    const state: RequestState | undefined = context.state.octavo
    if (!state)
      throw new Error('context.octavo is available when the caller is known: in routes and around actions')
    await authorize(context, `${type.uid}.${action}`, type, state)
    const kind = action === 'findOne' ? 'one' : type.kind === 'singleType' ? 'single' : 'list'
    const text = query === undefined ? context.querystring : octavo.queryString(type, query)
    await answerRead(
      context,
      { type, action, kind, query: text, state, ...(id !== undefined && { id }) },
      options,
    )
  }
  const noted = (work: Promise<void>): Promise<void> => {
    const made = work.finally(() => begun.delete(context))
    begun.set(context, made)
    return made
  }
  return {
    find: (type, query) => noted(answer(type, 'find', query)),
    findOne: (type, id, query) => noted(answer(type, 'findOne', query, id)),
  }
}
