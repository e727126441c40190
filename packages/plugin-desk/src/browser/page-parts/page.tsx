import type { QueryClient } from '@tanstack/react-query'
import { type ComponentType, lazy } from 'react'
import { fileOf } from '../requests/older-page.ts'

/** The file of a page, or of a part of one. */
interface PageFile<Props extends object> {
  readonly default: ComponentType<Props>
  /** Asks for what the page begins with. */
  readonly ask?: (client: QueryClient) => void
}

/** A page, or a part of one, in a file of its own, which is loaded when it is shown, or before. */
export interface OwnPage<Props extends object> {
  /** The page, or the sign of waiting until it is loaded: the same from the first call on. */
  readonly component: () => ComponentType<Props>
  /** Loads it now, and asks for what it begins with. */
  readonly load: (client: QueryClient) => Promise<void>
}

/** Called for the files that did not come. */
const failed = new Set<() => void>()

/** Lets parts whose files did not come ask for them when they are drawn next: React would remember the failure. */
export function loadFailedAgain(): void {
  for (const forget of failed) forget()
  failed.clear()
}

export function pageOf<Props extends object>(request: () => Promise<PageFile<Props>>): OwnPage<Props> {
  let loaded: ComponentType<Props> | undefined
  let component: ComponentType<Props> | undefined
  return {
    component: () => {
      component ??=
        loaded ??
        lazy(() =>
          fileOf(request).catch((error: unknown) => {
            failed.add(() => {
              component = undefined
            })
            throw error
          }),
        )
      return component
    },
    load: async (client) => {
      const file = await request()
      loaded = file.default
      file.ask?.(client)
    },
  }
}

/** Draws a page. A page that is loaded is there at once, since React would show the sign of waiting for 0.3 s. */
export function Shown<Props extends object>({ page, props }: { page: OwnPage<Props>; props: Props }) {
  const Page = page.component()
  return <Page {...props} />
}
