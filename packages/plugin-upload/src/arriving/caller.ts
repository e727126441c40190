import { type ContentType, NotFoundError, type Octavo, OctavoError, type RequestState } from '@octavo/core'
import { refused } from '../problems.ts'

declare module '@octavo/core' {
  interface RequestState {
    /** The address that an upload comes from. */
    readonly uploadAddress?: string
  }
}

/** Callers with the same key wait for each other's pictures: an account, or an address without one. */
export function callerKey(octavo: Octavo, state: RequestState): string {
  const user = octavo.runtimeValue('user.id', state)
  return user === null || user === undefined ? `address ${state.uploadAddress ?? ''}` : `user ${user}`
}

/** A media attribute, or a component with media, that a caller is about to write. */
interface WrittenAttribute {
  readonly type: ContentType
  /** `create` or `update`. */
  readonly action: string
  readonly attribute: string
  /** The entry, for an update that names one. */
  readonly id?: number
}

/**
 * Refuses files for an attribute that the caller may not write, or for an entry out of its reach, before anything is
 * stored. The write would ignore such an attribute, and leave a file that nothing refers to.
 *
 * @throws ValidationError, NotFoundError, ForbiddenError
 */
export async function requireWritable(
  octavo: Octavo,
  { type, action, attribute, id }: WrittenAttribute,
  state: RequestState,
): Promise<void> {
  const read = (query: string) => octavo.read({ type, action, kind: 'one', id: id ?? 0, query, state })
  if (!type.attributes.get(attribute)?.private) {
    // `fields` takes scalars only: a media attribute is refused as unusable there, a hidden one as unknown.
    const problem = await read(`fields=${attribute}`).catch((error: unknown) => error)
    if (!(problem instanceof OctavoError)) throw problem
    if (problem.code === 'query/unknown-attribute')
      throw refused('upload/bad-reference', `${type.uid} has no attribute "${attribute}" that you may write.`)
    if (problem.code !== 'query/not-usable') throw problem
  }
  if (id === undefined) return
  const { data } = await read('fields=id')
  if (data === undefined) throw new NotFoundError('entry/not-found', 'Not Found')
}
