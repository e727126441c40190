/**
 * The hooks of core, as a typed contract. A package adds its own by declaration merging:
 *
 *     declare module '@octavo/core' { interface Hooks { 'server:routes': (routes: Routes) => void } }
 *
 * and gives each its row in a table like {@link coreHooks} through `createOctavo({ hooks })`.
 */

import type { Bindable } from '../content-type/attribute-type.ts'
import type { ComponentDefinition, ContentTypeDefinition } from '../content-type/definition.ts'
import type {
  Attribute,
  ContentType,
  Model,
  RelationAttribute,
  ScalarAttribute,
} from '../content-type/model.ts'
import type { Octavo } from '../octavo.ts'
import type { Condition } from '../resolve/plan.ts'
import type { Row } from '../store/store.ts'
import type { EntryInput } from '../write/validate.ts'

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
  /** Why nobody's rights are asked: a program, or a plugin, acts for itself. Never made from a request. */
  readonly unrestricted?: string
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
  /** `find`, `findOne`, `create`, `update`, `delete`, or what a plugin's own route asks as. */
  readonly action: string
  /** Whether one entry is asked for by its id; false for lists, counts and single types. */
  readonly byId: boolean
  fact(fact: Fact): string
}

/** A place in the query where entries of a model are looked at. */
export interface NodeView {
  readonly model: Model
  /** `root` and `populate` are answered; `filter` and `sort` are only looked through. */
  readonly use: 'root' | 'populate' | 'filter' | 'sort'
  /** The relation or component that leads here; `undefined` where the question itself begins. */
  readonly via: Attribute | undefined
  /** The value of a declared parameter here: as given, inherited (when declared so), or its default. */
  param<T>(param: Param<T>): T
  /** Whether the client gave it here (or above, when it is inherited). */
  given(param: Param<unknown>): boolean
  /**
   * What all plugins narrow the entries to that a relation leads to, looked at with the same `use` as this node: for the
   * `scope` of a condition over it, which would else tell of entries that the caller may not see.
   */
  scopeOf(relation: RelationAttribute): Condition | undefined
}

/** A write as hooks see it, in its transaction. */
export interface WriteEvent {
  readonly action: 'create' | 'update' | 'delete'
  readonly type: ContentType
  /** The entry; `undefined` before a create. */
  readonly id: number | undefined
  /** What is written, as the hooks before left it; empty for a delete. */
  readonly input: EntryInput
  /** Who made the input: whoever sent the request, or a plugin that writes further through `entries`. */
  readonly by: 'caller' | 'plugin'
  readonly state: RequestState
  /** Writes and looks further in the same transaction, with the same checks and hooks. */
  readonly entries: EntryWriter
}

/** Writing inside a running transaction. Ids are those of entries; errors undo the whole transaction. */
export interface EntryWriter {
  create(uid: string, input: EntryInput): Promise<number>
  update(uid: string, id: number, input: EntryInput): Promise<void>
  delete(uid: string, id: number): Promise<void>
  /** The stored values of an entry's own columns, by attribute name, as text; `undefined` when there is no such entry. */
  stored(uid: string, id: number): Promise<Readonly<Record<string, string | null>> | undefined>
  /**
   * The input that would write the named attributes of an entry as they are, with new components: for copies. Secrets
   * are left out, and so are relations whose targets can have one owner only.
   */
  inputOf(uid: string, id: number, names: readonly string[]): Promise<EntryInput>
  /** Runs a statement of the plugin's own in the transaction. */
  query(text: string, values?: readonly Bindable[]): Promise<readonly Row[]>
}

/**
 * How much of an entry must be there: `complete`, every required attribute, stored or named; `partial`, those that are
 * named may not be cleared; `lenient`, required attributes and minimum lengths may be missed.
 */
export type Strictness = 'complete' | 'partial' | 'lenient'

/**
 * A value that `meta` of an answered entry carries: the sorted, distinct values of an attribute over a relation onto
 * entries of the same type, of those that the caller may see.
 */
export interface MetaTerm {
  readonly name: string
  readonly relation: RelationAttribute
  readonly attribute: ScalarAttribute
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
  'query:attribute': (
    attribute: Attribute,
    node: Pick<NodeView, 'model' | 'use'>,
    context: ReadContext,
  ) => boolean | undefined
  /** Kind: collect, all of them. Before: the root node is resolved. After: `meta` of each answered entry has these. */
  'query:meta': (node: NodeView, context: ReadContext) => readonly MetaTerm[] | undefined
  /** Kind: transform. Before: the body is decoded. After: what is returned is checked and written. For creates and updates. */
  'entry:input': (input: EntryInput, event: WriteEvent) => EntryInput | Promise<EntryInput>
  /** Kind: decide. Before: the input stands. After: it is checked. Without an answer creates are `complete`, updates `partial`. */
  'entry:strictness': (event: WriteEvent) => Strictness | undefined | Promise<Strictness | undefined>
  /** Kind: guard. Before: the input is checked. After: the rows are written. */
  'entry:beforeCreate': (event: WriteEvent) => void | Promise<void>
  /** Kind: guard. Before: the input is checked and the entry locked. After: the rows are written. */
  'entry:beforeUpdate': (event: WriteEvent) => void | Promise<void>
  /** Kind: guard. Before: the entry is locked. After: its rows are deleted. */
  'entry:beforeDelete': (event: WriteEvent) => void | Promise<void>
  /** Kind: guard. Before: the rows are written, and the event has the id. After: the answer is read, then the commit. */
  'entry:afterCreate': (event: WriteEvent) => void | Promise<void>
  /** Kind: guard. Before: the rows are written. After: the answer is read, then the commit. */
  'entry:afterUpdate': (event: WriteEvent) => void | Promise<void>
  /** Kind: guard. Before: the rows are gone. After: the commit. */
  'entry:afterDelete': (event: WriteEvent) => void | Promise<void>
  /** Kind: notify. Before: the transaction is committed; nothing undoes it. After: the client gets its answer. */
  'entry:committed': (event: Omit<WriteEvent, 'entries'>) => void | Promise<void>
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
  'query:meta': { kind: 'collect', when: 'once per plan; all of them' },
  'entry:input': { kind: 'transform', when: 'in the transaction' },
  'entry:strictness': { kind: 'decide', when: 'in the transaction' },
  'entry:beforeCreate': { kind: 'guard', when: 'in the transaction' },
  'entry:beforeUpdate': { kind: 'guard', when: 'in the transaction' },
  'entry:beforeDelete': { kind: 'guard', when: 'in the transaction' },
  'entry:afterCreate': { kind: 'guard', when: 'in the transaction' },
  'entry:afterUpdate': { kind: 'guard', when: 'in the transaction' },
  'entry:afterDelete': { kind: 'guard', when: 'in the transaction' },
  'entry:committed': { kind: 'notify', when: 'after the transaction' },
  'octavo:start': { kind: 'guard', when: 'once, before the first request' },
  'octavo:stop': { kind: 'notify', when: 'once, after the last request' },
  'content-type:added': { kind: 'notify', when: 'when a content-type is added while running' },
} as const satisfies Record<string, HookRow>
