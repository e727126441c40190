import { Component, type ReactNode } from 'react'
import { reasonOf } from './page-parts/trouble.tsx'
import { OlderPage } from './requests/older-page.ts'
import { TextContext } from './text/index.ts'

interface LostPageProps {
  readonly children: ReactNode
}

interface LostPageState {
  readonly isLost: boolean
  readonly error?: unknown
}

/**
 * The message in place of a page that cannot be drawn, for example because its files are those of an earlier version of the server. Typed
 * text is on the device, and is back after the reload.
 */
export class LostPage extends Component<LostPageProps, LostPageState> {
  static override contextType = TextContext
  declare context: React.ContextType<typeof TextContext>
  override state: LostPageState = { isLost: false }

  static getDerivedStateFromError(error: unknown): LostPageState {
    return { isLost: true, error }
  }

  override render() {
    const { isLost, error } = this.state
    if (!isLost) return this.props.children
    const text = this.context
    return (
      <main id="main" className="page" tabIndex={-1}>
        <p className="note wrong" role="alert">
          {reasonOf(error, text)}
        </p>
        <button className="button main" type="button" onClick={() => location.reload()}>
          {error instanceof OlderPage ? text.loadPageAgain : text.tryAgain}
        </button>
      </main>
    )
  }
}
