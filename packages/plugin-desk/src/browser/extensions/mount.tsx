import { useEffect, useRef, useState } from 'react'
import type { Mounted } from '../../extension.ts'
import { useText } from '../text/index.ts'
import type { Defined } from './registry.ts'

type Mount<State> = (element: HTMLElement, state: State) => Mounted<State> | undefined | null

/** The name of an extension in messages: `colour (site/colour.js)`. */
export const nameOf = ({ name, module }: Defined<{ readonly name: string }>): string => `${name} (${module})`

interface MountProps<State> {
  readonly of: Defined<{ readonly name: string; readonly mount: Mount<State> }>
  /** A new object for each state. */
  readonly state: State
  /** Called once, when the extension has thrown. Default: a sentence in its place. */
  readonly onFail?: () => void
  readonly className?: string
}

/** The element of an extension. An error that it throws ends it, and nothing else on the page. */
export function MountPlace<State>({ of, state, onFail, className = 'extension' }: MountProps<State>) {
  const text = useText()
  const place = useRef<HTMLDivElement>(null)
  const [hasFailed, setFailed] = useState(false)
  const running = useRef<{ element: HTMLElement; mounted: Mounted<State> }>(undefined)
  const end = (): void => {
    const { element, mounted } = running.current ?? {}
    running.current = undefined
    try {
      mounted?.unmount?.()
    } catch (error) {
      console.error(`The extension ${nameOf(of)} has failed in unmount.`, error)
    }
    element?.remove()
  }
  /** @returns the result of the function of the extension, of any kind */
  const show = (into: HTMLElement): unknown => {
    const { current } = running
    if (current?.mounted.update) return current.mounted.update(state)
    end()
    const element = document.createElement('div')
    into.append(element)
    running.current = { element, mounted: {} }
    const mounted = of.mount(element, state)
    running.current = { element, mounted: mounted ?? {} }
    return mounted
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a state is a new object; the functions are those of the first one
  useEffect(() => {
    if (!place.current || hasFailed) return
    const fail = (error: unknown): void => {
      console.error(`The extension ${nameOf(of)} has failed.`, error)
      end()
      setFailed(true)
      onFail?.()
    }
    try {
      const answer = show(place.current)
      const { current } = running
      // An `async` function throws by its promise; where it is mounted anew, the error is that of an element that is gone.
      Promise.resolve(answer).catch((error: unknown) => running.current === current && fail(error))
    } catch (error) {
      fail(error)
    }
  }, [state, of, hasFailed])
  // biome-ignore lint/correctness/useExhaustiveDependencies: at the end of the page
  useEffect(() => end, [])
  return hasFailed ? (
    <p className="hint">{text.extensionFailed(nameOf(of))}</p>
  ) : (
    <div ref={place} className={className} />
  )
}
