/** Arguments and results of hooks, by the name of the hook and its kind. */

import type { WriteFilter } from '../plugin/write-event.ts'
import type { HookKind } from './hook-row.ts'
import type { HookHandler, HookName, Hooks } from './hooks.ts'

export type Args<N extends HookName> = Parameters<HookHandler<N>>
export type Answer<N extends HookName> = Awaited<ReturnType<HookHandler<N>>>
export type Collected<N extends HookName> = Exclude<ReturnType<HookHandler<N>>, undefined | void>

/** The names of the hooks of a kind. */
export type Of<K extends HookKind> = {
  [N in HookName]: Hooks[N]['kind'] extends K ? N : never
}[HookName]

/** The transforms whose handlers return their value at once. */
export type Synchronous<N extends HookName> = N extends HookName
  ? Extract<ReturnType<HookHandler<N>>, Promise<unknown>> extends never
    ? N
    : never
  : never

/** A result with the plugin that returned it. */
export interface Attributed<T> {
  readonly plugin: string
  readonly answer: T
}

export type Decided<N extends HookName> = Attributed<Exclude<Answer<N>, undefined>> | undefined

/** A question to the filter of a handler, with its plugin. */
export type Question<T> = (filter: WriteFilter, plugin: string) => T
