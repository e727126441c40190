import {
  coreHooks,
  definePlugin,
  type HookHandler,
  type HookKind,
  type HookName,
  type Hooks,
  type Plugin,
} from '@octavo/core/plugin'
import { serverHooks } from '@octavo/server'

/** The intersection of the handlers of all hooks of a kind: a function that fits each of them. */
type EveryHandler<K extends HookKind> = {
  [N in HookName]: Hooks[N]['kind'] extends K ? (handler: HookHandler<N>) => void : never
}[HookName] extends (handler: infer H) => void
  ? H
  : never

/**
 * A handler that changes nothing, for each kind. A new kind without one does not compile, nor does a new hook that the handler
 * of its kind does not fit.
 */
const handlers = {
  decide: () => undefined,
  transform: <T>(value: T): T => value,
  collect: () => undefined,
  guard: () => {},
  notify: () => {},
  register: () => {},
} as const satisfies { readonly [K in HookKind]: EveryHandler<K> }

/** A plugin with a handler on every hook of core and server that changes nothing. */
export const changesNothing = (): Plugin =>
  definePlugin({
    name: 'changes-nothing',
    setup(host) {
      // The names are those of the tables, and each handler fits all hooks of its kind.
      for (const [name, { kind }] of Object.entries({ ...coreHooks, ...serverHooks }))
        host.hook(name as HookName, handlers[kind] as HookHandler<HookName>)
    },
  })
