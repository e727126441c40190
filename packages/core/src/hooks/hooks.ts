/**
 * The hooks of core, as a typed contract. A package adds a table of its own through `createOctavo({ hooks })` and by
 * declaration merging:
 *
 *     export const serverHooks = { 'server:routes': collect<(routes: Routes) => void>({ ... }) }
 *     type ServerHooks = typeof serverHooks
 *     declare module '@octavo/core/plugin' { interface Hooks extends ServerHooks {} }
 */

import { definitionHooks } from './definition-hooks.ts'
import type { HandlerOf } from './hook-row.ts'
import { readHooks } from './read-hooks.ts'
import { writeHooks } from './write-hooks.ts'

/**
 * The hooks of definitions, reads and writes; those of the octavo itself are in `host/lifecycle-hooks.ts`. A row is the only place
 * that names a hook's kind and its handler's type: a hook without one does not exist for the compiler.
 */
export const requestHooks = { ...definitionHooks, ...readHooks, ...writeHooks }

type RequestHooks = typeof requestHooks

/** All hooks by name, as rows. A package adds its own by declaration merging, see the head of this file. */
export interface Hooks extends RequestHooks {}

export type HookName = keyof Hooks

/** The hooks of writes, whose handlers may have a {@link WriteFilter}. */
export type WriteHook = Extract<HookName, `entry:${string}`>

/** The handler of a hook. */
export type HookHandler<N extends HookName> = HandlerOf<Hooks[N]>
