/**
 * The hooks of core, as a typed contract. A package adds its own by declaration merging:
 *
 *     declare module '@octavo/core' { interface Hooks { 'server:routes': (routes: Routes) => void } }
 *
 * and gives each its row in a table like {@link coreHooks} through `createOctavo({ hooks })`.
 */
import type { ComponentDefinition, ContentTypeDefinition } from '../content-type/definition.js'
import type { Attribute, ContentType, Model } from '../content-type/model.js'
import type { Octavo } from '../octavo.js'
import type { Condition, RuntimeValue } from '../resolve/plan.js'

/**
 * How the answers of several plugins combine:
 * - `decide`: the first answer that is not `undefined` wins
 * - `transform`: each gets what the one before returned, and must return the same type
 * - `collect`: all answers that are not `undefined`, in order; the row says how they are joined
 * - `guard`: any may throw to refuse, none may change anything
 * - `notify`: told afterwards; a failure is logged and changes no answer
 */
export type HookKind = 'decide' | 'transform' | 'collect' | 'guard' | 'notify'

export interface HookRow {
  readonly kind: HookKind
  /** When it runs, and for `collect` how the answers are joined; for the documentation. */
  readonly when: string
}

/** What a request brings besides its query: who calls. Plugins add their own keys by declaration merging. */
export interface RequestState {
  /** Stands for the request in the log. */
  readonly requestId?: string
}

/** Something about the request that read hooks depend on (a role, say). Its text is part of the statement cache's key. */
export interface Fact {
  readonly name: string
}

/** A query parameter that a plugin declared. Made by `octavo.param`. */
export interface Param<T> {
  readonly name: string
  /** Only for the type. */
  readonly type?: T
}

/** What a read hook may look at. Anything else about the request would miss the statement cache's key. */
export interface ReadContext {
  /** `find`, `findOne`, or what a plugin's own route asks as. */
  readonly action: string
  fact(fact: Fact): string
}

/** A place in the query where entries of a model are looked at. */
export interface NodeView {
  readonly model: Model
  /** `root` and `populate` are answered; `filter` and `sort` are only looked through. */
  readonly use: 'root' | 'populate' | 'filter' | 'sort'
  /** The value of a declared parameter here: as given, inherited (when declared so), or its default. */
  param<T>(param: Param<T>): T
  /** Whether the client gave it here (or above, when it is inherited). */
  given(param: Param<unknown>): boolean
}

/** How a plugin narrows a node. It cannot widen one: conditions are ANDed with all others. */
export type Narrowing =
  | Condition
  /** Nothing here may be read: left out of `populate`, 400 in filters and sort, 403 at the root. */
  | 'forbid'

/** The definitions before they are checked. A plugin may add attributes and types, or annotate what is there. */
export interface Definitions {
  readonly contentTypes: readonly ContentTypeDefinition[]
  readonly components: readonly ComponentDefinition[]
}

export interface Hooks {
  /** Kind: transform. Before: the definitions as loaded, plus plugins' own content-types. After: the registry is built. */
  'definitions:extend': (definitions: Definitions) => Definitions
  /** Kind: collect, ANDed; one `forbid` forbids. Before: names and values are resolved. After: the plan is frozen and compiled. */
  'query:node': (node: NodeView, context: ReadContext) => Narrowing | undefined
  /** Kind: collect; one `false` hides the attribute as if it did not exist. Before: the name is found. After: the plan uses it. */
  'query:attribute': (attribute: Attribute, node: Pick<NodeView, 'model' | 'use'>, context: ReadContext) => boolean | undefined
  /** Kind: guard. Before: the schema is up to date. After: the server listens. A throw stops the start. */
  'octavo:start': (octavo: Octavo) => void | Promise<void>
  /** Kind: notify. Before: no request is in flight. After: the pool closes. */
  'octavo:stop': (octavo: Octavo) => void | Promise<void>
  /** Kind: notify. A content-type was added while running; its table exists. After: its endpoints answer. */
  'content-type:added': (type: ContentType) => void
}

export type HookName = keyof Hooks

/** A hook without a row does not compile. */
export const coreHooks = {
  'definitions:extend': { kind: 'transform', when: 'once, at start' },
  'query:node': { kind: 'collect', when: 'once per plan; joined by AND, forbid wins' },
  'query:attribute': { kind: 'collect', when: 'once per plan and attribute; one false hides it' },
  'octavo:start': { kind: 'guard', when: 'once, before the first request' },
  'octavo:stop': { kind: 'notify', when: 'once, after the last request' },
  'content-type:added': { kind: 'notify', when: 'when a content-type is added while running' },
} as const satisfies Record<string, HookRow>

export type { RuntimeValue }
