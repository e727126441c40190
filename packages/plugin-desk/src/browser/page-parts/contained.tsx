import { Component, type ReactNode, Suspense } from 'react'
import { OlderPage } from '../requests/older-page.ts'
import { useText } from '../text/index.ts'
import { Waiting } from './desk-parts.tsx'
import { loadFailedAgain } from './page.tsx'
import { Trouble } from './trouble.tsx'

interface ContainedProps {
  /** Drawn in the place of what cannot be drawn. @param again Draws that once more. @param error Why it cannot be drawn. */
  readonly instead: (again: () => void, error: unknown) => ReactNode
  /** The thing that is drawn. When it changes, it is drawn again. Default: only a person asks for it. */
  readonly of?: unknown
  readonly children: ReactNode
}

interface ContainedState {
  readonly hasFailed: boolean
  readonly error?: unknown
  readonly of: unknown
}

/** Keeps what throws while it is drawn, or whose file does not come, to its place: the rest of the page stays and works. */
export class Contained extends Component<ContainedProps, ContainedState> {
  override state: ContainedState = { hasFailed: false, of: this.props.of }

  static getDerivedStateFromError(error: unknown) {
    return { hasFailed: true, error }
  }

  static getDerivedStateFromProps({ of }: ContainedProps, state: ContainedState) {
    return of === state.of ? null : { hasFailed: false, of }
  }

  readonly #again = (): void => {
    loadFailedAgain()
    this.setState({ hasFailed: false })
  }

  override render() {
    const { hasFailed, error } = this.state
    return hasFailed ? this.props.instead(this.#again, error) : this.props.children
  }
}

interface CannotShowProps {
  readonly name: string
  readonly again: () => void
  readonly error?: unknown
}

/** The sentence in the place of a part of a page. */
export function CannotShow({ name, again, error }: CannotShowProps) {
  const text = useText()
  return (
    <Trouble onAgain={again} error={error}>
      {error instanceof OlderPage ? text.olderPage : text.cannotShow(name)}
    </Trouble>
  )
}

/** A part whose file is loaded when it is drawn: says that it is on its way, or that it did not come. */
export function Arriving({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Contained instead={(again, error) => <CannotShow {...{ name, again, error }} />}>
      <Suspense fallback={<Waiting />}>{children}</Suspense>
    </Contained>
  )
}
