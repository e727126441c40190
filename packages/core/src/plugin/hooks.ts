/**
 * The hooks of core, as a typed contract. A package adds a table of its own through `createOctavo({ hooks })` and by
 * declaration merging:
 *
 *     export const serverHooks = { 'server:routes': collect<(routes: Routes) => void>({ ... }) }
 *     type ServerHooks = typeof serverHooks
 *     declare module '@octavo/core' { interface Hooks extends ServerHooks {} }
 */

import type { WriteAction } from '../content-type/content-actions.ts'
import type { ComponentDefinition, ContentTypeDefinition } from '../content-type/definition.ts'
import type {
  Attribute,
  ContentType,
  Model,
  MorphAttribute,
  RelationAttribute,
} from '../content-type/model.ts'
import type { Condition, MetaTerm } from '../resolve/plan.ts'
import type { Transaction } from '../store/store.ts'
import type { EntryInput } from '../write/validate.ts'
import { collect, decide, guard, type HandlerOf, type HookTable, notify, transform } from './hook-row.ts'
import type { RequestState } from './request-state.ts'

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
  /**
   * `root` and `populate` are answered; `filter` and `sort` are only looked through. A write asks as well:
   * - `named`: the entries that its input may refer to by id; any other id is refused as one that does not exist
   * - `changed`: the entries, besides its own, whose key or link it may change. They must meet the condition before and
   *   after the write, or it is refused with 403
   * - `answer`: the entries whose attributes its answer may show; of any other the answer has only the id
   */
  readonly use: 'root' | 'populate' | 'filter' | 'sort' | 'named' | 'changed' | 'answer'
  /**
   * The relation or component that leads here; `undefined` where the question itself begins, and where a polymorphic
   * relation leads here.
   */
  readonly via: Attribute | undefined
  /** The content-type of the entry that is written, for `named` and `changed`; else `undefined`. */
  readonly from: ContentType | undefined
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
  readonly action: WriteAction
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
export interface EntryWriter extends Transaction {
  create(uid: string, input: EntryInput): Promise<number>
  /**
   * @param rights `caller`: the entry is one that the caller changes along with its own, so it must be open to that: see
   *   {@link requireChangeable}; what it takes from others must be, too. Default `plugin`: nobody's rights are asked.
   * @throws ForbiddenError
   */
  update(uid: string, id: number, input: EntryInput, rights?: 'plugin' | 'caller'): Promise<void>
  delete(uid: string, id: number): Promise<void>
  /** The stored values of an entry's own columns, by attribute name, as text; `undefined` when there is no such entry. */
  stored(uid: string, id: number): Promise<Readonly<Record<string, string | null>> | undefined>
  /**
   * The input that would write the named attributes of an entry as they are, with new components: for copies. Secrets
   * are left out, and so are relations whose targets can have one owner only.
   */
  inputOf(uid: string, id: number, names: readonly string[]): Promise<EntryInput>
  /**
   * Refuses the write unless the caller may change these entries in these attributes: what `query:node` and
   * `query:attribute` answer for the use `changed`. To be called before they are changed, and again after.
   * @throws ForbiddenError
   */
  requireChangeable(uid: string, ids: readonly number[], names: readonly string[]): Promise<void>
}

/**
 * How much of an entry must be there: `complete`, every required attribute, stored or named; `partial`, those that are
 * named may not be cleared; `lenient`, required attributes and minimum lengths may be missed.
 */
export type Strictness = 'complete' | 'partial' | 'lenient'

/** How a plugin narrows a node. It cannot widen one: conditions are ANDed with all others. */
export type Narrowing =
  | Condition
  /** No entry here is open to the caller: left out of `populate`, 400 in filters and sort, 403 at the root. */
  | 'forbid'

/** The definitions before they are checked. A plugin may add attributes and types, or annotate what is there. */
export interface Definitions {
  readonly contentTypes: readonly ContentTypeDefinition[]
  readonly components: readonly ComponentDefinition[]
}

/**
 * The hooks of definitions, reads and writes; those of the octavo itself are in `lifecycle-hooks.ts`. A row is the only place
 * that names a hook's kind and its handler's type: a hook without one does not exist for the compiler.
 */
export const requestHooks = {
  'definitions:extend': transform<(definitions: Definitions) => Definitions>({
    purpose: 'Adds attributes and content-types, or annotates those that are there.',
    when: 'once, at start',
    before: 'the definitions as loaded, plus the content-types of plugins',
    after: 'the registry is built',
  }),
  'query:node': collect<(node: NodeView, context: ReadContext) => Narrowing | undefined>({
    purpose: 'Narrows which entries may be seen at a place of the query, and named or changed by a write.',
    when: 'once per plan and place, and per kind of write; conditions are joined by AND, one `forbid` forbids',
    before: 'names and values are resolved, or the input of a write is checked',
    after: 'the plan is frozen and compiled, or the write goes on',
  }),
  'query:attribute': collect<
    (
      attribute: Attribute | MorphAttribute,
      node: Pick<NodeView, 'model' | 'use'>,
      context: ReadContext,
    ) => boolean | undefined
  >({
    purpose: 'Hides an attribute as if it did not exist, or closes it to a write of another entry.',
    when: 'once per plan and attribute; one `false` hides it',
    before: 'the name is looked up',
    after: 'the plan uses it',
  }),
  'query:meta': collect<(node: NodeView, context: ReadContext) => readonly MetaTerm[] | undefined>({
    purpose: 'Adds values to `meta` of each answered entry.',
    when: 'once per plan; all of them are added',
    before: 'the root node is resolved',
    after: 'the plan is frozen and compiled',
  }),
  'query:single': collect<(node: NodeView, context: ReadContext) => boolean | undefined>({
    purpose: 'Answers all entries of a single type that the caller may see, as a list without pages.',
    when: 'once per plan of a single type that is read as a whole; one `true` makes it a list',
    before: 'the query is read',
    after: 'the plan is frozen and compiled',
  }),
  'entry:input': transform<(input: EntryInput, event: WriteEvent) => EntryInput | Promise<EntryInput>>({
    purpose: 'Changes what is written.',
    when: 'in the transaction, for creates and updates',
    before: 'the body is decoded',
    after: 'the input is checked and written',
  }),
  'entry:strictness': decide<(event: WriteEvent) => Strictness | undefined | Promise<Strictness | undefined>>(
    {
      purpose:
        'Says how much of an entry must be there; without an answer creates are `complete`, updates `partial`.',
      when: 'in the transaction, for creates and updates',
      before: '`entry:input` has run',
      after: 'the input is checked',
    },
  ),
  'entry:beforeCreate': guard<(event: WriteEvent) => void | Promise<void>>({
    purpose: 'Refuses a create, or writes further entries with it.',
    when: 'in the transaction',
    before: 'the input is checked',
    after: 'the rows are written',
  }),
  'entry:beforeUpdate': guard<(event: WriteEvent) => void | Promise<void>>({
    purpose: 'Refuses an update, or writes further entries with it.',
    when: 'in the transaction',
    before: 'the input is checked and the entry locked',
    after: 'the rows are written',
  }),
  'entry:beforeDelete': guard<(event: WriteEvent) => void | Promise<void>>({
    purpose: 'Refuses a delete, or writes further entries with it.',
    when: 'in the transaction',
    before: 'the entry is locked',
    after: 'its rows are deleted',
  }),
  'entry:afterCreate': guard<(event: WriteEvent) => void | Promise<void>>({
    purpose: 'Acts on the new entry, whose id the event has.',
    when: 'in the transaction',
    before: 'the rows are written',
    after: 'the answer is read, then the commit',
  }),
  'entry:afterUpdate': guard<(event: WriteEvent) => void | Promise<void>>({
    purpose: 'Acts on the changed entry.',
    when: 'in the transaction',
    before: 'the rows are written',
    after: 'the answer is read, then the commit',
  }),
  'entry:afterDelete': guard<(event: WriteEvent) => void | Promise<void>>({
    purpose: 'Acts once the entry is gone.',
    when: 'in the transaction',
    before: 'its rows are deleted',
    after: 'the commit',
  }),
  'entry:committed': notify<(event: Omit<WriteEvent, 'entries'>) => void | Promise<void>>({
    purpose: 'Acts on a write that nothing undoes any more.',
    when: 'after the transaction, for each write in it',
    before: 'the transaction is committed',
    after: 'the client gets its answer',
  }),
} satisfies HookTable

type RequestHooks = typeof requestHooks

/** All hooks by name, as rows. A package adds its own by declaration merging, see the head of this file. */
export interface Hooks extends RequestHooks {}

export type HookName = keyof Hooks

/** The handler of a hook. */
export type HookHandler<N extends HookName> = HandlerOf<Hooks[N]>
