/** The messages of the pages about requests that fail. */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { labelInForms, mistakesInWords, refusalWords } from '../model/mistake-words.ts'
import { ApiError, OtherFields } from '../requests/api.ts'
import { OlderPage } from '../requests/older-page.ts'
import { type Texts, useText } from '../text/index.ts'

/** Refusals of folders in words of the server, whose codes are those of other mistakes as well. */
const ofGoneFolder = /there is no folder with the id \d+/i
const ofTakenName = /^There is a folder ".*" in this place already/

/** A page does not do what a person asks for: the server would not refuse it. */
export class Refused extends Error {
  readonly reason: (text: Texts) => string

  constructor(reason: (text: Texts) => string) {
    super()
    this.reason = reason
  }
}

/** A refusal in words of the person. */
export const reasonOf = (error: unknown, text: Texts): string =>
  knownReason(error, text) ?? text.failed(error instanceof ApiError ? error.message : '')

/** A refusal in words of the person; `undefined` for one that has only the sentence of the server. */
export function knownReason(error: unknown, text: Texts): string | undefined {
  if (error instanceof Refused) return error.reason(text)
  if (error instanceof OlderPage) return text.olderPage
  if (!(error instanceof ApiError)) return undefined
  if (error.status === 0) return text.offline
  if (error instanceof OtherFields) return text.otherFields
  if (error.code.startsWith('upload/') && ofGoneFolder.test(error.message)) return text.folderGone
  if (error.code.startsWith('upload/') && ofTakenName.test(error.message)) return text.folderTaken
  if (error.code === 'desk/bad-credentials') return text.wrongCredentials
  if (error.code === 'desk/bad-code') return text.wrongCode
  if (error.code === 'query/unknown-attribute' && error.message.startsWith('filters')) return text.filterGone
  if (error.isOutdated) return text.outdated
  const refusal = refusalWords(error, text)
  if (refusal !== undefined) return refusal
  if (error.isForbidden) return text.forbidden
  if (error.isGone) return text.goneMeanwhile
  if (error.status === 429) return text.tooMany
  if (error.isBusy) return text.busy
  if (error.status === 413) return text.tooLarge
  if (error.isUnexplained) return text.refusedByProxy(error.status)
  if (error.mistakes.length === 0) return undefined
  return text.failed(mistakesInWords(error.mistakes, text, (name) => labelInForms(name, text)))
}

interface TroubleProps {
  readonly children: ReactNode
  /** Tries once more; absent where the control that failed does so. */
  readonly onAgain?: () => void
  /** The error, where it says what helps: only a reload does for a page that is older than the server. */
  readonly error?: unknown
}

/** The sentence about what did not work. */
export function Trouble({ children, onAgain, error }: TroubleProps) {
  const text = useText()
  const isOlder = error instanceof OlderPage || (error instanceof ApiError && error.isOutdated)
  return (
    <p className="note wrong" role="alert">
      {children}
      {onAgain && (
        <button type="button" className="linked" onClick={isOlder ? () => location.reload() : onAgain}>
          {isOlder ? text.loadPageAgain : text.tryAgain}
        </button>
      )}
    </p>
  )
}

type Words = (error: unknown, text: Texts) => string

/**
 * Does what a person asks for, one thing at a time: a second click on a slow network does nothing twice.
 *
 * @param words Why something was refused. Default: {@link reasonOf}
 */
export function useAttempt(words: Words = reasonOf) {
  const text = useText()
  const [busy, setBusy] = useState(0)
  const [problem, setProblem] = useState('')
  const running = useRef(new Set<unknown>())
  /**
   * @param of What it is done to, such as a row of a list: things are done to several of them side by side. Default: all that the page shows.
   * @returns whether it was done
   */
  const attempt = async (work: () => Promise<unknown>, of?: unknown): Promise<boolean> => {
    if (running.current.has(of)) return false
    running.current.add(of)
    setBusy(running.current.size)
    setProblem('')
    try {
      await work()
      return true
    } catch (error) {
      setProblem(words(error, text))
      return false
    } finally {
      running.current.delete(of)
      setBusy(running.current.size)
    }
  }
  const last = useRef<Promise<unknown>>(Promise.resolve())
  /**
   * As `attempt`, for actions that are done one after the other: one that is asked for while another goes on is done after it.
   *
   * @param of Names the action.
   */
  const inTurn = (work: () => Promise<unknown>, of: unknown): Promise<boolean> =>
    attempt(() => {
      const own = last.current.then(work)
      last.current = own.catch(() => undefined)
      return own
    }, of)
  /** Stands where the sentence about it is shown: that it goes on, or why it did not work. */
  const trouble = busy > 0 ? <Going /> : problem !== '' && <Trouble>{problem}</Trouble>
  return { attempt, inTurn, trouble }
}

/** Time in which an answer is expected, in milliseconds: a sentence that comes and goes at once would only disturb. */
const soon = 400

/** Says that something goes on, once it takes a while. The sentence lies over the page, so that no button moves away from a click. */
export function Going() {
  const text = useText()
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), soon)
    return () => clearTimeout(timer)
  }, [])
  return (
    isLong && (
      <p className="going" role="status">
        {text.oneMoment}
      </p>
    )
  )
}
