import { type Octavo, OctavoError, type RequestState } from '@octavo/core'
import { type ContentType, problem as coreProblem } from '@octavo/core/plugin'
import { problem } from '../problems.ts'

/** Callers with the same key wait for each other's pictures. */
export const callerKey = ({ caller = 'program' }: RequestState): string => caller

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
  const refused = () =>
    problem('upload/bad-reference', {
      message: `${type.uid} has no attribute "${attribute}" that you may write.`,
    })
  const written = type.attributes.get(attribute)
  if (written?.definition.writable === false) throw refused()
  const read = (query: string) => octavo.read({ type, action, kind: 'one', id: id ?? 0, query, state })
  if (!written?.private) {
    // `fields` takes scalars only: a media attribute is refused as unusable there, a hidden one as unknown.
    const answer = await read(`fields=${attribute}`).catch((error: unknown) => error)
    if (!(answer instanceof OctavoError)) throw answer
    if (answer.code === 'query/unknown-attribute') throw refused()
    if (answer.code !== 'query/not-usable') throw answer
  }
  if (id === undefined) return
  const { data } = await read('fields=id')
  if (data === undefined) throw coreProblem('entry/not-found')
}
