import { Component, type ReactNode } from 'react'
import { TextContext } from './text/index.ts'

interface LostPageProps {
  readonly children: ReactNode
}

/**
 * A page that cannot be drawn, as when its files are those of an earlier version of the server, says so in place of an empty window. What
 * was typed is on the device, and is there again after the reload.
 */
export class LostPage extends Component<LostPageProps, { readonly isLost: boolean }> {
  static override contextType = TextContext
  declare context: React.ContextType<typeof TextContext>
  override state = { isLost: false }

  static getDerivedStateFromError() {
    return { isLost: true }
  }

  override render() {
    if (!this.state.isLost) return this.props.children
    return (
      <main id="main" className="page" tabIndex={-1}>
        <p className="note wrong" role="alert">
          {this.context.failed('')}
        </p>
        <button className="button main" type="button" onClick={() => location.reload()}>
          {this.context.tryAgain}
        </button>
      </main>
    )
  }
}
