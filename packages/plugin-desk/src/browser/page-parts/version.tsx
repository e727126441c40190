/** Forms about one thing that several people may change. When two change the same, the second one is told of it, and chooses. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type MouseEvent, useRef, useState } from 'react'
import { sameJson } from '../../form/index.ts'
import { type Answer, ApiError, isUnanswered, OtherFields, request } from '../requests/api.ts'
import { type Texts, useText } from '../text/index.ts'
import { whenFocusIsLost } from './focus-back.ts'
import { reasonOf, useAttempt } from './trouble.tsx'

/**
 * Reads what a form changes, with its version, when the form opens. It is not read again by itself: the form would then have another version than the one
 * that it shows.
 */
export const useOpened = <T,>(path: string | undefined): UseQueryResult<Answer<T>> =>
  useQuery({
    queryKey: ['opened', path],
    queryFn: ({ signal }) => request<T>('GET', path ?? '', { signal }),
    enabled: path !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  })

const isOtherVersion = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 412 && !(error instanceof OtherFields)

const words = (error: unknown, text: Texts): string =>
  isOtherVersion(error) ? text.changedMeanwhile : reasonOf(error, text)

/** A value as the server stores it: an empty text is none. */
const asStored = (value: unknown): unknown => {
  if (typeof value !== 'string') return value ?? null
  return value.trim() === '' ? null : value.trim()
}

const isSame = (one: object, other: object, name: string): boolean => {
  const [a, b] = [one, other].map((of) => (of as Readonly<Record<string, unknown>>)[name])
  return sameJson(asStored(a), asStored(b))
}

/** Does what a person asks of a form, as `useAttempt`, and offers the version of somebody else once it is refused for that. */
function useChoice(isTaken: boolean, onTheirs: () => unknown) {
  const text = useText()
  const { attempt, inTurn, trouble } = useAttempt(words)
  const load = ({ currentTarget }: MouseEvent) => {
    // The button goes with this version of the form, and would take the focus along.
    const dialog = currentTarget.closest('dialog')
    if (dialog) whenFocusIsLost(() => dialog.querySelector<HTMLElement>('form :is(input, textarea)'))
    else document.getElementById('main')?.focus()
    // As an attempt, which ends the sentence about the one before.
    void attempt(async () => onTheirs())
  }
  const withChoice = (
    <>
      {trouble}
      {isTaken && (
        <button type="button" className="button small" onClick={load}>
          {text.loadTheirs}
        </button>
      )}
    </>
  )
  return { attempt, inTurn, trouble: withChoice }
}

/** The state of a form that is saved as a whole. */
interface Known {
  /** The version that the form shows. */
  readonly etag: string | undefined
  /** Whether somebody else has stored another version, and the person has been told. */
  readonly isTaken: boolean
  /** The body of the last save, where its answer is lost. */
  readonly unanswered: object | undefined
}

/**
 * Saves a form as a whole, in place of the version that it shows.
 *
 * @param opened The answer that the form shows; `undefined` for a new role, for example.
 * @param onTheirs Opens the form again, with what is stored now.
 * @param isOther Whether what is stored is about other fields than the form shows, so that the page has to be loaded again. Default: never.
 */
export function useVersion<T extends object>(
  path: string,
  opened: Answer<T> | undefined,
  onTheirs: () => unknown,
  isOther: (stored: T) => boolean = () => false,
) {
  const [isTaken, showTaken] = useState(false)
  // An action that waits for another one begins with what that one has left.
  const known = useRef<Known>({ etag: opened?.etag, isTaken, unanswered: undefined })
  const knows = (next: Partial<Known>): void => {
    known.current = { ...known.current, ...next }
    showTaken(known.current.isTaken)
  }
  /** Called when the form shows a version that is stored. */
  const shows = ({ etag }: Pick<Answer<T>, 'etag'>): void =>
    knows({ etag, isTaken: false, unanswered: undefined })
  /**
   * The version that a save takes the place of. After a refusal it is the one that is stored then, as the person has been told; after a save without
   * an answer too, where the server has carried it out. @throws ApiError
   */
  const former = async (): Promise<Answer<T>['etag']> => {
    const { etag, isTaken, unanswered } = known.current
    if (!isTaken && !unanswered) return etag
    const now = await request<T>('GET', path)
    const isOwn = Object.keys(unanswered ?? {}).every((name) => isSame(now.body, unanswered ?? {}, name))
    return isTaken || isOwn ? now.etag : etag
  }
  /** @throws ApiError */
  const save = async (body: object): Promise<Answer<T>> => {
    const version = await former()
    try {
      const answer = await request<T>('PUT', path, { body, etag: version })
      shows(answer)
      return answer
    } catch (error) {
      if (isOtherVersion(error) && isOther((await request<T>('GET', path)).body))
        throw new OtherFields(412, '')
      knows({ isTaken: isOtherVersion(error), unanswered: isUnanswered(error) ? body : undefined })
      throw error
    }
  }
  return { ...useChoice(isTaken, onTheirs), shows, save }
}

/** The values of a form. */
type Body<T> = { readonly [Name in keyof T]?: unknown }

/** The refusal of a save, where somebody else has changed one of its values. */
class TakenMeanwhile extends ApiError {}

/** How often a save is compared with what is stored while others change that. */
const mostComparisons = 5

/**
 * Saves only the values of a form that the person has changed: somebody else may have changed other values meanwhile.
 *
 * @param shown The values that the form was drawn with.
 * @param onTheirs Opens the form again, with the values of somebody else.
 * @param write Sends the changed values, for the version that they were compared with. Default: a `PUT` to the path.
 */
export function useChanges<T extends object>(
  path: string,
  shown: T,
  onTheirs: (theirs: T) => void,
  write: (values: Body<T>, etag: string | undefined) => Promise<unknown> = (body, etag) =>
    request('PUT', path, { body, etag }),
) {
  const [taken, setTaken] = useState<T | undefined>()
  /** Compares the values with those that are stored, and saves them once. */
  const saveOnce = async (body: Body<T>): Promise<void> => {
    const { body: now, etag } = await request<T>('GET', path)
    const changed = Object.keys(body).filter((name) => !isSame(shown, body, name))
    const known = taken ?? shown
    if (changed.some((name) => !isSame(now, known, name) && !isSame(now, body, name))) {
      setTaken(now)
      throw new TakenMeanwhile(412, '')
    }
    const values = Object.entries(body).filter(([name]) => changed.includes(name))
    await write(Object.fromEntries(values) as Body<T>, etag) // some of its values
  }
  /** @throws ApiError with the status 412 where somebody else has changed the same value, of which the person has not been told */
  const save = async (body: Body<T>): Promise<void> => {
    for (let i = 1; i < mostComparisons; i += 1)
      try {
        return await saveOnce(body)
      } catch (error) {
        // A refusal of the server is about a change since the comparison, perhaps of other values.
        if (error instanceof TakenMeanwhile || !isOtherVersion(error)) throw error
      }
    return saveOnce(body)
  }
  const load = () => {
    setTaken(undefined)
    if (taken) onTheirs(taken)
  }
  return { ...useChoice(taken !== undefined, load), save }
}
