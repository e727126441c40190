import type { RequestState } from './request-state.ts'

/** A value of type `T` in the state of a request, made by {@link defineState}. */
export interface StateKey<T> {
  /** For messages. */
  readonly name: string
  /** The value; `undefined` when no plugin and no program has set it. */
  of(state: RequestState): T | undefined
  /** A state with the value, as a hook of the server returns it and as a program passes it to `octavo.entries`. */
  with(value: T, state?: RequestState): RequestState
}

/**
 * Defines a value that a plugin adds to the state of requests. Handlers of routes, hooks and programs read it with its type, and no
 * other plugin can overwrite it by accident.
 *
 *     export const region = defineState<'eu' | 'us'>('region')
 *
 *     host.hook('server:state', (context) => region.with(context.get('X-Region') === 'us' ? 'us' : 'eu'))
 *     host.fact('region', (state) => region.of(state) ?? 'eu')
 *     octavo.entries('article', region.with('us')).find()
 */
export function defineState<T>(name: string): StateKey<T> {
  const key = Symbol(name)
  // Only `with` writes the symbol, with a value of this type.
  return {
    name,
    of: (state) => (state as { readonly [key]?: T })[key],
    with: (value, state = {}) => ({ ...state, [key]: value }),
  }
}
