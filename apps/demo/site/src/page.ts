import type { ComponentChild } from 'preact'
import type { Place } from './router.ts'

export interface View {
  readonly title: string
  readonly body: ComponentChild
}

/** A page: what it loads, once, and what it shows of that. */
export interface Page {
  /** Places with the same key show the same data, so that nothing is loaded again. */
  readonly key: string
  /** Makes the one request of the page. */
  readonly load: (signal: AbortSignal) => Promise<(place: Place) => View>
}
