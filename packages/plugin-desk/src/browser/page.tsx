import type { QueryClient } from '@tanstack/react-query'
import { type ComponentType, lazy } from 'react'

/** The file of a page. */
interface PageFile<Props extends object> {
  readonly default: ComponentType<Props>
  /** Asks for what the page begins with. */
  readonly ask?: (client: QueryClient) => void
}

/** A page in a file of its own, which is loaded when it is shown, or before. */
export interface OwnPage<Props extends object> {
  /** The page, or the sign of waiting until it is loaded: the same from the first call on. */
  readonly component: () => ComponentType<Props>
  /** Loads it now, and asks for what it begins with. */
  readonly load: (client: QueryClient) => Promise<void>
}

export function pageOf<Props extends object>(request: () => Promise<PageFile<Props>>): OwnPage<Props> {
  let loaded: ComponentType<Props> | undefined
  let component: ComponentType<Props> | undefined
  return {
    component: () => {
      component ??= loaded ?? lazy(request)
      return component
    },
    load: async (client) => {
      const file = await request()
      loaded = file.default
      file.ask?.(client)
    },
  }
}

/** Draws a page. One that is loaded is there at once, since React would show the sign of waiting for 0.3 s. */
export function Shown<Props extends object>({ page, props }: { page: OwnPage<Props>; props: Props }) {
  const Page = page.component()
  return <Page {...props} />
}
