/** The messages of the pages about requests that fail. */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ApiError } from './api.ts'
import { type Texts, useText } from './text/index.ts'

/** A refusal in words of the person. */
export function reasonOf(error: unknown, text: Texts): string {
  if (!(error instanceof ApiError)) return text.failed('')
  if (error.status === 0) return text.offline
  if (error.code === 'desk/bad-credentials') return text.wrongCredentials
  if (error.code === 'desk/bad-code') return text.wrongCode
  if (error.status === 429) return text.tooMany
  if (error.isBusy) return text.busy
  return text.failed(error.message)
}

/** The sentence about what did not work. @param onAgain Tries once more; absent where the control that failed does so. */
export function Trouble({ children, onAgain }: { children: ReactNode; onAgain?: () => void }) {
  const text = useText()
  return (
    <p className="note wrong" role="alert">
      {children}
      {onAgain && (
        <button type="button" className="linked" onClick={onAgain}>
          {text.tryAgain}
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
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const running = useRef(false)
  /** @returns whether it was done */
  const attempt = async (work: () => Promise<unknown>): Promise<boolean> => {
    if (running.current) return false
    running.current = true
    setBusy(true)
    setProblem('')
    try {
      await work()
      return true
    } catch (error) {
      setProblem(words(error, text))
      return false
    } finally {
      running.current = false
      setBusy(false)
    }
  }
  /** Stands where the sentence about it is shown: that it goes on, or why it did not work. */
  const trouble = isBusy ? <Going /> : problem !== '' && <Trouble>{problem}</Trouble>
  return { attempt, trouble }
}

/** Time in which an answer is expected, in milliseconds: a sentence that comes and goes at once would move the page. */
const soon = 400

/** Says that something goes on, once it takes a while. */
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
