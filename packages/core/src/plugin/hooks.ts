/**
 * The hooks of core, as a typed contract. A package adds a table of its own through `createOctavo({ hooks })` and by
 * declaration merging:
 *
 *     export const serverHooks = { 'server:routes': collect<(routes: Routes) => void>({ ... }) }
 *     type ServerHooks = typeof serverHooks
 *     declare module '@octavo/core/plugin' { interface Hooks extends ServerHooks {} }
 */

import type { Row, Sql, Transaction } from '@octavo/database'
import type { WriteAction } from '../content-type/content-actions.ts'
import type {
  AttributeDefinition,
  ComponentDefinition,
  ContentTypeDefinition,
} from '../content-type/definition/definition.ts'
import type {
  Attribute,
  ContentType,
  Model,
  MorphAttribute,
  RelationAttribute,
  UsesAttribute,
} from '../content-type/model.ts'
import type { Computed } from '../content-type/types/computed.ts'
import type { EntryInput } from '../content-type/types/entry-input.ts'
import { isObject } from '../is-object.ts'
import { isCondition } from '../plan/condition.ts'
import type { Condition, MetaTerm } from '../plan/plan.ts'
import {
  booleanResult,
  collect,
  decide,
  guard,
  type HandlerOf,
  type HookTable,
  notify,
  objectResult,
  transform,
} from './hook-row.ts'
import type { RequestState } from './request-state.ts'

/** A property of a request that read hooks depend on, such as the role. Its text is part of the statement cache's key. */
export interface Fact {
  readonly name: string
}

/** A query parameter that a plugin declared. Created by `host.param`. */
export interface Param<T> {
  readonly name: string
  /** Only for the type. */
  readonly type?: T
}

/** The input of a read hook. Other properties of the request would be missing from the statement cache's key. */
export interface ReadContext {
  /** `find`, `findOne`, `create`, `update`, `delete`, or the action of a plugin's route. */
  readonly action: string
  /** Whether the request reads one entry by its id; false for lists, counts and single types. */
  readonly byId: boolean
  fact(fact: Fact): string
}

/** A node of the query: a place where entries of one model are read or tested. */
export interface NodeView {
  readonly model: Model
  /**
   * The entries of `root` and `populate` are in the response; `filter` and `sort` only test them. Writes add three uses:
   * - `named`: the entries that the input may refer to by id; any other id is refused like a missing one
   * - `changed`: the other entries whose key or link the write may change. They must meet the condition before and
   *   after the write, else it fails with 403
   * - `answer`: the entries whose attributes the response may include; for any other entry the response has only the id
   */
  readonly use: 'root' | 'populate' | 'filter' | 'sort' | 'named' | 'changed' | 'answer'
  /**
   * The relation or component that leads to this node; `undefined` at the root of a query, and for polymorphic
   * relations.
   */
  readonly via: Attribute | undefined
  /** The content-type of the written entry, for `named` and `changed`; else `undefined`. */
  readonly from: ContentType | undefined
  /** For `changed`: the attribute that changes; `undefined` for an entry that changes as a whole, and for all other uses. */
  readonly attribute: Attribute | MorphAttribute | undefined
  /** The value of a declared parameter at this node: as given, inherited (scope `inherit`), or its default. */
  param<T>(param: Param<T>): T
  /** Whether the client gave the parameter at this node (or above it, with scope `inherit`). */
  given(param: Param<unknown>): boolean
  /**
   * The conditions of all plugins on the entries that a relation leads to, for the same `use` as this node. Pass it as the
   * `scope` of a condition over the relation, which would otherwise depend on entries that the caller may not read.
   */
  scopeOf(relation: RelationAttribute): Condition | undefined
}

/** The place of an attribute in a query or a write. */
export interface AttributePlace extends Pick<NodeView, 'model' | 'use'> {
  /**
   * For attributes of components: the content-type whose entries the component is part of, and the attributes that lead to it:
   * `['seo', 'social']`. `undefined` for attributes of content-types.
   */
  readonly within: { readonly owner: Model; readonly path: readonly string[] } | undefined
}

/** A write, as passed to hooks in its transaction. */
export interface WriteEvent {
  readonly action: WriteAction
  readonly type: ContentType
  /** The id of the entry; `undefined` before a create. */
  readonly id: number | undefined
  /** The input, as changed by earlier hooks; empty for a delete. */
  readonly input: EntryInput
  /** The origin of the input: the caller, or a plugin that writes through `entries`. */
  readonly by: 'caller' | 'plugin'
  /**
   * Whether a delete left the entry in the database, because `entry:delete` turned it into an update. Known from
   * `entry:afterDelete` on; false for all other writes.
   */
  readonly remains: boolean
  readonly state: RequestState
  /** Reads and writes further entries in the same transaction, with the same checks and hooks. */
  readonly entries: EntryWriter
}

/** The event of a write before its handlers run. The id of a create is `undefined`, also for the hooks after it. */
export type FilteredEvent = Pick<WriteEvent, 'action' | 'type' | 'id' | 'input' | 'by' | 'state'>

/**
 * The writes that a handler of a hook `entry:…` is for. A write that no handler is for is one message to the database; any other one
 * is done step by step, with the handlers in between.
 *
 *     host.hook('entry:afterUpdate', announce, { types: ['api::article.article'], when: ({ input }) => 'title' in input })
 */
export interface WriteFilter {
  /** The content-types: their uids, or a predicate over the definition. Default: all. */
  readonly types?: readonly string[] | ((type: ContentType) => boolean)
  /** Whether the handler runs for a write. Without side effects, since it may be called several times. Default: it does. */
  readonly when?: (event: FilteredEvent) => boolean
  /**
   * For `entry:input` and `entry:strictness`: whether the handler uses `event.entries`. One that does not runs before the
   * transaction begins, and its write stays one message. Default true.
   */
  readonly database?: boolean | ((event: FilteredEvent) => boolean)
}

/** The name that a write gets in place of `updated`, when the stored entry meets a condition before it: `published`. */
export interface NamedChange {
  readonly name: string
  readonly if: Condition
}

/** A write whose statements plugins add to; see `entry:statements`. */
export interface StatementEvent extends FilteredEvent {
  /**
   * The written entry, as a part of a `from`: one row `(id, change)`, or none when the write is refused. `change` is one of
   * {@link changes}.
   *
   *     sql`insert into "octavo_log" ("entry", "what") select "w"."id", "w"."change" from ${written} as "w"`
   */
  readonly written: Sql
  /** The names that the change may have: `created`, `updated` or `deleted`, and before these the names of `entry:change`. */
  readonly changes: readonly string[]
}

/** A statement that a plugin adds to a write. It is sent in the message of the write, so no statement may depend on the rows of another. */
export interface WriteStatement {
  /** `before`: the entry is as it was, and a new one is not there. `after`: its rows are written, or deleted. */
  readonly when: 'before' | 'after'
  /** It changes nothing where `written` has no row. An error of it undoes the write. */
  readonly statement: Sql
  /** Receives each row, with values as texts in the order of the select list. A transaction that is repeated calls it again. */
  readonly receive?: (row: Row) => void
}

/** Writes entries in a running transaction, by their ids. An error rolls back the whole transaction. */
export interface EntryWriter extends Transaction {
  create(uid: string, input: EntryInput): Promise<number>
  /**
   * @param rights `caller`: the caller changes this entry together with its own and needs the right to, as in
   *   {@link requireChangeable}, also on entries that lose a link by it. Default `plugin`: no rights are checked.
   * @throws ForbiddenError
   */
  update(uid: string, id: number, input: EntryInput, rights?: 'plugin' | 'caller'): Promise<void>
  delete(uid: string, id: number): Promise<void>
  /** The stored values of an entry's own columns as text, by attribute name; `undefined` when the entry does not exist. */
  stored(uid: string, id: number): Promise<Readonly<Record<string, string | null>> | undefined>
  /**
   * The input that would write the named attributes of an entry unchanged, with new components: for copies. Secrets
   * are left out, and so are relations whose targets can have only one owner.
   */
  inputOf(uid: string, id: number, names: readonly string[]): Promise<EntryInput>
  /**
   * Refuses the write unless the caller may change these attributes of these entries, by the results of `query:node` and
   * `query:attribute` for the use `changed`. Call it before and again after the change.
   * @throws ForbiddenError
   */
  requireChangeable(uid: string, ids: readonly number[], names: readonly string[]): Promise<void>
}

/**
 * Which attributes a write must provide: `complete`, every required attribute, stored or in the input; `partial`, required
 * attributes in the input may not be cleared; `lenient`, neither required attributes nor minimum lengths are enforced.
 */
export type Strictness = 'complete' | 'partial' | 'lenient'

/** A condition, such as that of a draft: an update of a stored entry that meets it is `lenient`, any other write as without a decision. */
export type StrictnessDecision = Strictness | { readonly lenientIf: Condition }

/** How a plugin narrows a node. Conditions are joined with all others by AND, so a plugin cannot widen a node. */
export type Narrowing =
  | Condition
  /** The caller may read no entry here: left out of `populate`, 400 in filters and sort, 403 at the root. */
  | 'forbid'

/** An attribute that is computed, of the type of its values. */
export interface ComputedAttributeDefinition extends AttributeDefinition {
  readonly computed: Computed
}

/** The definitions before validation. A plugin may add attributes and types, or annotate existing ones. */
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
    purpose: 'Adds attributes and content-types, or annotates existing ones.',
    when: 'once, at start',
    before: 'the definitions as loaded, plus the content-types of plugins',
    after: 'the registry is built',
    returns: {
      expected: 'an object with the lists contentTypes and components',
      accepts: (answer) =>
        isObject(answer) && Array.isArray(answer.contentTypes) && Array.isArray(answer.components),
    },
  }),
  'attribute:computed': collect<
    (
      definition: ContentTypeDefinition | ComponentDefinition,
    ) => Readonly<Record<string, ComputedAttributeDefinition>> | undefined
  >({
    purpose:
      'Adds computed attributes: an SQL expression or a function over columns of the same row, in answers and not stored.',
    when: 'for each content-type and component, at start and when a content-type is added; two attributes of one name are an error',
    before: '`definitions:extend` has run',
    after: 'the registry is built, and the database checks the expressions',
    returns: objectResult,
  }),
  'query:node': collect<(node: NodeView, context: ReadContext) => Narrowing | undefined>({
    purpose:
      'Narrows the entries that a node of the query may read, and that a write may refer to or change.',
    when: 'once per node of a plan, and per kind of write; conditions are joined by AND, one `forbid` forbids the node',
    before: 'names and values are resolved, or the input of a write is checked',
    after: 'the plan is frozen and compiled, or the write continues',
    returns: {
      expected: "a condition, 'forbid' or undefined",
      accepts: (answer) => answer === 'forbid' || isCondition(answer),
    },
  }),
  'query:attribute': collect<
    (
      attribute: Attribute | MorphAttribute | UsesAttribute,
      place: AttributePlace,
      context: ReadContext,
    ) => boolean | undefined
  >({
    purpose: 'Hides an attribute as if it did not exist, or protects it from a write of another entry.',
    when: 'once per plan and attribute; one `false` hides it',
    before: 'the name is looked up',
    after: 'the plan uses it',
    returns: booleanResult,
  }),
  'query:private': collect<
    (attribute: Attribute, place: AttributePlace, context: ReadContext) => boolean | undefined
  >({
    purpose:
      'Shows a private attribute to callers who write the content, if no `query:attribute` hides it. Passwords are never shown.',
    when: 'once per plan and private attribute; one `true` shows it',
    before: 'the name is looked up',
    after: '`query:attribute` may hide it',
    returns: booleanResult,
  }),
  'query:meta': collect<(node: NodeView, context: ReadContext) => readonly MetaTerm[] | undefined>({
    purpose: 'Adds values to `meta` of each returned entry.',
    when: 'once per plan; all values are added',
    before: 'the root node is resolved',
    after: 'the plan is frozen and compiled',
    returns: { expected: 'a list or undefined', accepts: Array.isArray },
  }),
  'query:single': collect<(node: NodeView, context: ReadContext) => boolean | undefined>({
    purpose: 'Returns all entries of a single type that the caller may read, as a list without pages.',
    when: 'once per plan of a single type that is read as a whole; one `true` makes it a list',
    before: 'the query is parsed',
    after: 'the plan is frozen and compiled',
    returns: booleanResult,
  }),
  'entry:input': transform<(input: EntryInput, event: WriteEvent) => EntryInput | Promise<EntryInput>>({
    purpose: 'Changes the input of a write.',
    when: 'for creates and updates; in the transaction unless its filter says that it does not use the database',
    before: 'the body is decoded',
    after: 'the input is checked and written',
    returns: { expected: 'the input, as an object', accepts: isObject },
  }),
  'entry:writable': collect<
    (
      attribute: Attribute | MorphAttribute,
      event: Pick<WriteEvent, 'type' | 'action' | 'state'>,
    ) => boolean | undefined
  >({
    purpose:
      'Leaves an attribute out of the described bodies of a caller, whose value `entry:input` removes or refuses.',
    when: 'for descriptions of the API, once per set of rights; one `false` leaves it out',
    before: 'the caller may use an endpoint that writes the content-type',
    after: 'the schemas of its bodies are made',
    returns: booleanResult,
  }),
  'entry:strictness': decide<
    (event: WriteEvent) => StrictnessDecision | undefined | Promise<StrictnessDecision | undefined>
  >({
    purpose:
      'Decides which attributes a write must provide. Default: `complete` for creates, `partial` for updates.',
    when: 'for creates and updates; in the transaction unless its filter says that it does not use the database',
    before: '`entry:input` has run',
    after: 'the input is checked',
    returns: {
      expected: "'complete', 'partial', 'lenient', { lenientIf: a condition } or undefined",
      accepts: (answer) =>
        answer === 'complete' ||
        answer === 'partial' ||
        answer === 'lenient' ||
        (isObject(answer) && isCondition(answer.lenientIf)),
    },
  }),
  'entry:change': collect<(event: FilteredEvent) => NamedChange | undefined>({
    purpose: 'Names an update by the entry as it was: `published`. `entry:statements` has the name.',
    when: 'for updates that `entry:statements` has handlers for; the first name whose condition the entry meets',
    before: '`entry:input` has run',
    after: '`entry:statements` runs',
    returns: {
      expected: 'a name with a condition, or undefined',
      accepts: (answer) => isObject(answer) && typeof answer.name === 'string' && isCondition(answer.if),
    },
  }),
  'entry:statements': collect<(event: StatementEvent) => readonly WriteStatement[] | undefined>({
    purpose:
      'Adds statements to a write, such as the row of an event. They are part of its message, so that the write needs no further round trip.',
    when: 'before the message of a write is sent; in the transaction, for each write of the interface, of programs and of plugins, bulk included',
    before: 'the input is checked',
    after: 'the rows are written, then the response is read',
    returns: { expected: 'a list of statements, or undefined', accepts: Array.isArray },
  }),
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
  'entry:delete': decide<(event: WriteEvent) => EntryInput | undefined | Promise<EntryInput | undefined>>({
    purpose:
      'Turns a delete into an update: the returned values are written and the entry remains. Answer and events are those of a delete.',
    when: 'in the transaction, for each delete of the interface, of programs and of plugins, bulk included',
    before: '`entry:beforeDelete` has run',
    after: 'the values are written, or the rows are deleted',
    returns: objectResult,
  }),
  'entry:afterCreate': guard<(event: WriteEvent) => void | Promise<void>>({
    purpose: 'Acts on the new entry; the event has its id.',
    when: 'in the transaction',
    before: 'the rows are written',
    after: 'the response is read, then the commit',
  }),
  'entry:afterUpdate': guard<(event: WriteEvent) => void | Promise<void>>({
    purpose: 'Acts on the changed entry.',
    when: 'in the transaction',
    before: 'the rows are written',
    after: 'the response is read, then the commit',
  }),
  'entry:afterDelete': guard<(event: WriteEvent) => void | Promise<void>>({
    purpose: 'Acts after the entry was deleted. With `event.remains` it was updated in place of that.',
    when: 'in the transaction',
    before: 'its rows are deleted, or updated by `entry:delete`',
    after: 'the commit',
  }),
  'entry:published': guard<(event: WriteEvent) => void | Promise<void>>({
    purpose: 'Acts on an update that published a draft. Run by the plugin that keeps drafts.',
    when: 'in the transaction, besides `entry:afterUpdate`',
    before: 'the rows are written',
    after: 'the response is read, then the commit',
  }),
  'entry:unpublished': guard<(event: WriteEvent) => void | Promise<void>>({
    purpose: 'Acts on an update that made an entry a draft. Run by the plugin that keeps drafts.',
    when: 'in the transaction, besides `entry:afterUpdate`',
    before: 'the rows are written',
    after: 'the response is read, then the commit',
  }),
  'entry:committed': notify<(event: Omit<WriteEvent, 'entries'>) => void | Promise<void>>({
    purpose: 'Acts on a committed write.',
    when: 'after the transaction, for each write in it',
    before: 'the transaction is committed',
    after: 'the response is sent',
  }),
} satisfies HookTable

type RequestHooks = typeof requestHooks

/** All hooks by name, as rows. A package adds its own by declaration merging, see the head of this file. */
export interface Hooks extends RequestHooks {}

export type HookName = keyof Hooks

/** The hooks of writes, whose handlers may have a {@link WriteFilter}. */
export type WriteHook = Extract<HookName, `entry:${string}`>

/** The handler of a hook. */
export type HookHandler<N extends HookName> = HandlerOf<Hooks[N]>
