import type { Attribute, MorphAttribute } from '../content-type/model.ts'
import type { EntryInput } from '../content-type/types/entry-input.ts'
import { isObject } from '../kinds-of-values.ts'
import { isCondition } from '../plan/condition.ts'
import type { Condition } from '../plan/plan.ts'
import type {
  FilteredEvent,
  NamedChange,
  StatementEvent,
  WriteCheck,
  WriteEvent,
  WriteStatement,
} from '../plugin/write-event.ts'
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
import {
  areWriteStatements,
  expectedStatements,
  isWriteCheck,
  namedChecks,
  namedStatements,
} from './message-parts.ts'

/**
 * The attributes that a write must provide: `complete`, every required attribute, stored or in the input; `partial`, required
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
      'Leaves an attribute out of the described bodies of a caller, if `entry:input` removes or refuses its value.',
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
      'Refuses a write because of the content of the database. The checks are part of the message of the write, so they need no further round trip.',
    when: 'before the message of a write is sent; in the transaction, for each write of the interface, of programs and of plugins, bulk included',
    before: '`entry:input` and `entry:strictness` have run',
    after: 'the other checks of the write run, and the rows are written if no check found anything',
    returns: {
      expected: 'a list of checks, each { finds: sql`…`, refusal: () => an error }, or undefined',
      accepts: (answer) => Array.isArray(answer) && answer.every(isWriteCheck),
    },
    named: namedChecks,
  }),
  'entry:change': collect<(event: FilteredEvent) => NamedChange | undefined>({
    purpose:
      'Gives an update a name, such as `published`, by the entry as it was before. Handlers of `entry:statements` get the name.',
    when: 'for updates with handlers of `entry:statements`; the first name whose condition the entry meets',
    before: '`entry:input` has run',
    after: '`entry:statements` runs',
    returns: {
      expected: 'a name with a condition, or undefined',
      accepts: (answer) => isObject(answer) && typeof answer.name === 'string' && isCondition(answer.if),
    },
  }),
  'entry:statements': collect<(event: StatementEvent) => readonly WriteStatement[] | undefined>({
    purpose:
      'Adds statements to a write, such as the row of an event. They are part of the message of the write, so they need no further round trip.',
    when: 'before the message of a write is sent; in the transaction, for each write of the interface, of programs and of plugins, bulk included',
    before: 'the input is checked',
    after: 'the rows are written, then the response is read',
    returns: { expected: `${expectedStatements}, or undefined`, accepts: areWriteStatements },
    named: namedStatements,
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
    purpose: 'Acts after a delete. With `event.remains` the entry was updated and remains.',
    when: 'in the transaction',
    before: 'its rows are deleted, or updated by `entry:delete`',
    after: 'the commit',
  }),
  'entry:published': guard<(event: WriteEvent) => void | Promise<void>>({
    purpose: 'Acts on an update that made an entry public. The plugin for drafts runs it.',
    when: 'in the transaction, in addition to `entry:afterUpdate`; not at the later time of a scheduled publication',
    before: 'the rows are written',
    after: 'the response is read, then the commit',
  }),
  'entry:unpublished': guard<(event: WriteEvent) => void | Promise<void>>({
    purpose:
      'Acts on an update after which a public entry is no longer public. The plugin for drafts runs it.',
    when: 'in the transaction, in addition to `entry:afterUpdate`',
    before: 'the rows are written',
    after: 'the response is read, then the commit',
  }),
  'entry:committed': notify<(event: Omit<WriteEvent, 'entries'>) => void | Promise<void>>({
    purpose: 'Acts on a committed write.',
    when: 'after the transaction, for each write in it; the response waits for each handler at most 10 s',
    before: 'the transaction is committed',
    after: 'the response is sent',
    patience: 10_000,
  }),
} satisfies HookTable
