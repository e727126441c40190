import type { OctavoError, Row, Sql } from '@octavo/database'
import type { WriteAction } from '../content-type/content-actions.ts'
import type { Attribute, ContentType, MorphAttribute } from '../content-type/model.ts'
import type { EntryInput } from '../content-type/types/entry-input.ts'
import { isObject } from '../is-object.ts'
import { isCondition } from '../plan/condition.ts'
import type { Condition } from '../plan/plan.ts'
import type { EntryWriter } from './entry-writer.ts'
import {
  booleanResult,
  collect,
  decide,
  guard,
  type HookTable,
  notify,
  objectResult,
  transform,
} from './hook-row.ts'
import type { RequestState } from './request-state.ts'

/** A write, as passed to hooks in its transaction. */
export interface WriteEvent {
  readonly action: WriteAction
  readonly type: ContentType
  /** The id of the entry; `undefined` before a create. */
  readonly id: number | undefined
  /** The input, as changed by earlier hooks; empty for a delete. An object of its own for each write, by which a plugin knows it again. */
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
export interface FilteredEvent extends Pick<WriteEvent, 'action' | 'type' | 'id' | 'input' | 'by' | 'state'> {
  /** Stands for the transaction: the {@link WriteEvent.entries} of all its writes, by which a plugin knows its own. */
  readonly entries: object
}

/**
 * The writes that a handler of a hook `entry:…` is for. A write that no handler is for is one message to the database; a create or an
 * update with handlers behind it only is one, and a second one for the answer; any other one is done step by step, with the handlers in
 * between.
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
  /**
   * For `entry:beforeUpdate` and `entry:afterUpdate`: the entries, as they are before the write, for which the handler has something to
   * do. Updates of others stay one message; the handler may be called for them as well. Default: all.
   */
  readonly if?: (event: FilteredEvent) => Condition | undefined
  /**
   * For the hooks after a write: statements that are sent with it where the handler follows, so that what they `receive` is there when it runs, without a
   * round trip of its own. They are sent with a write that is refused as well. Default: none.
   */
  readonly sends?: (event: FilteredEvent) => readonly WriteStatement[]
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

/** A condition on the database that a plugin adds to a write, as a part of its message; see `entry:checks`. */
export interface WriteCheck {
  /**
   * A statement before all checks that locks until the end of the transaction what `finds` depends on, so that writes at the same time are checked
   * one after the other: `select 1 from "seats" where "id" = 3 for no key update`. Default: none.
   */
  readonly lock?: Sql
  /** A query of one column of numbers, which has no row where the write is permitted. */
  readonly finds: Sql
  /** The error of a write for which it has rows. @param found The numbers, in the order of the query. */
  readonly refusal: (found: readonly number[]) => OctavoError
}

/**
 * Which attributes a write must provide: `complete`, every required attribute, stored or in the input; `partial`, required
 * attributes in the input may not be cleared; `lenient`, neither required attributes nor minimum lengths are enforced.
 */
export type Strictness = 'complete' | 'partial' | 'lenient'

/** A condition, such as that of a draft: an update of a stored entry that meets it is `lenient`, any other write as without a decision. */
export type StrictnessDecision = Strictness | { readonly lenientIf: Condition }

/** The hooks of writes. */
export const writeHooks = {
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
  'entry:checks': collect<(event: FilteredEvent) => readonly WriteCheck[] | undefined>({
    purpose:
      'Refuses a write by what the database has. The checks are part of its message, so that the write needs no further round trip.',
    when: 'before the message of a write is sent; in the transaction, for each write of the interface, of programs and of plugins, bulk included',
    before: '`entry:input` and `entry:strictness` have run',
    after: 'the other checks of the write run, and the rows are written where none found anything',
    returns: { expected: 'a list of checks, or undefined', accepts: Array.isArray },
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
