/** A write as hooks get it, the writes that a handler is for, and the parts that plugins add to the message of one. */
import type { OctavoError, Row, Sql } from '@octavo/database'
import type { WriteAction } from '../content-type/content-actions.ts'
import type { ContentType } from '../content-type/model.ts'
import type { EntryInput } from '../content-type/types/entry-input.ts'
import type { Condition } from '../plan/plan.ts'
import type { EntryWriter } from './entry-writer.ts'
import type { RequestState } from './request-state.ts'

/** A write, as passed to hooks in its transaction. */
export interface WriteEvent {
  /** `create`, `update` or `delete`. */
  readonly action: WriteAction
  /** The content-type of the entry. */
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
  /** The state of the request: its caller, and what plugins have added. */
  readonly state: RequestState
  /** Reads and writes further entries in the same transaction, with the same checks and hooks. */
  readonly entries: EntryWriter
}

/** The event of a write before its handlers run. The id of a create is `undefined`, also for the hooks after it. */
export interface FilteredEvent extends Pick<WriteEvent, 'action' | 'type' | 'id' | 'input' | 'by' | 'state'> {
  /** The identity of the transaction: the {@link WriteEvent.entries} of all its writes, by which a plugin recognises its own writes. */
  readonly entries: Pick<EntryWriter, 'uses'>
}

/**
 * The writes that a handler of a hook `entry:…` is for. A write without handlers is one message to the database. A create or an
 * update whose handlers all run after it is one message, and a second one for the answer. Any other write runs step by step, with the
 * handlers in between.
 *
 *     host.hook('entry:afterUpdate', announce, { types: ['api::article.article'], when: ({ input }) => 'title' in input })
 */
export interface WriteFilter {
  /** The content-types: their uids, or a predicate over the definition. Default: all. */
  readonly types?: readonly string[] | ((type: ContentType) => boolean)
  /** Whether the handler runs for a write. Without side effects, since it may be called several times. Default: it does. */
  readonly when?: (event: FilteredEvent) => boolean
  /**
   * For `entry:input` and `entry:strictness`: whether the handler uses `event.entries`. A handler that does not runs before the
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
  /**
   * Receives each row, with values as texts in the order of the select list. A transaction that is repeated calls it again. It throws no error:
   * the message of its row may have committed the write.
   */
  readonly receive?: (row: Row) => void
}

/** A condition on the database that a plugin adds to a write, as a part of its message; see `entry:checks`. */
export interface WriteCheck {
  /**
   * A statement before all checks, such as `select 1 from "seats" where "id" = 3 for no key update`. It locks the rows on which `finds` depends until
   * the end of the transaction, so that simultaneous writes are checked one after the other. Default: none.
   */
  readonly lock?: Sql
  /** A query of one column of numbers, which has no row where the write is permitted. */
  readonly finds: Sql
  /** The error of a write for which it has rows. @param found The numbers, in the order of the query. */
  readonly refusal: (found: readonly number[]) => OctavoError
}
