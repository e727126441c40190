import {
  type ContentType,
  problem as coreProblem,
  type Octavo,
  OctavoError,
  type RequestState,
} from '@octavo/core'
import { problem } from '../problems.ts'

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
    const answer = await read(`fields=${attribute}`).catch((error: unknown) => error)
    if (!(answer instanceof OctavoError)) throw answer
    if (answer.code === 'query/unknown-attribute')
      throw problem('upload/bad-reference', {
        message: `${type.uid} has no attribute "${attribute}" that you may write.`,
      })
    if (answer.code !== 'query/not-usable') throw answer
  }
  if (id === undefined) return
  const { data } = await read('fields=id')
  if (data === undefined) throw coreProblem('entry/not-found')
}
