/** A local copy, and its text. */
import type { Changes } from './fitting.ts'
import type { Overlap } from './merge.ts'
import { type FormModel, fieldsOf } from './model.ts'
import type { ComponentValue, FieldValue, GroupValue } from './value.ts'

/** A save whose outcome is unknown, because no answer came. */
export interface PendingSave {
  readonly sent: GroupValue
  /** The values of a create beside the fields of the form, such as `publishedAt`. */
  readonly state?: Readonly<Record<string, unknown>> | undefined
  /** The Idempotency-Key of a create. */
  readonly key?: string | undefined
}

export interface Draft {
  readonly version: 1
  /** The entry as it was stored when the changes began. */
  readonly base: GroupValue
  /** The language of the entry as it was stored; absent for a new one and without languages. */
  readonly locale?: string | undefined
  /** The address of the content-type: `articles`. Copies of earlier versions have none. */
  readonly route?: string | undefined
  /** The ETag of `base`; absent for a new entry. */
  readonly tag?: string | undefined
  readonly mine: GroupValue
  readonly pending: readonly PendingSave[]
  /** The unresolved overlaps: `base` has the values of the others already. */
  readonly overlaps?: readonly Overlap[]
  /** Changes of fields that the page has no place for: the content-type or the rights of the person have lost them. They have no passwords. */
  readonly left?: readonly Changes[] | undefined
  /** Milliseconds since 1970. */
  readonly at: number
}

/**
 * A text for a storage. Passwords are left out: they are no part of a copy on a disk. The texts of values are kept, so that the next copy
 * costs as much as has changed since: it is made while a person types.
 */
export function draftText(model: FormModel, draft: Draft): string {
  const { base, mine, pending, overlaps = [], ...rest } = draft
  const field = (value: FieldValue | undefined) => value && fieldText(model, value)
  const members = {
    base: groupText(model, base),
    mine: groupText(model, mine),
    pending: listText(
      pending.map(({ sent, ...save }) => withMembers(save, { sent: groupText(model, sent) })),
    ),
    overlaps: listText(
      overlaps.map(({ base, mine, theirs, ...one }) =>
        withMembers(one, { base: field(base), mine: field(mine), theirs: field(theirs) }),
      ),
    ),
  }
  return withMembers(rest, members)
}

/** Changes without their passwords, which are never shown. */
export const withoutPasswords = (model: FormModel, { base, mine }: Changes): Changes => ({
  base: JSON.parse(groupText(model, base)),
  mine: JSON.parse(groupText(model, mine)),
})

const listText = (items: readonly string[]): string => `[${items.join(',')}]`

/** An object as JSON, with further members that are JSON already. */
function withMembers(object: object, members: Readonly<Record<string, string | undefined>>): string {
  const texts = Object.entries(members).flatMap(([name, text]) =>
    text === undefined ? [] : [`${JSON.stringify(name)}:${text}`],
  )
  const own = JSON.stringify(object).slice(1, -1)
  return `{${[...(own === '' ? [] : [own]), ...texts].join(',')}}`
}

/** The texts of entries and components that have been written. Values are never changed, and each is one of one model. */
const written = new WeakMap<GroupValue, string>()

function groupText(model: FormModel, group: GroupValue | ComponentValue): string {
  const known = written.get(group)
  if (known !== undefined) return known
  const { fields, ...rest } = group
  // A part of a kind that is gone is from an earlier copy, as in a save without an answer: it has no passwords.
  const schema = model.contentTypes[group.uid] ?? model.components[group.uid]
  const definitions = new Map(
    (schema ? fieldsOf(schema) : []).map(({ name, definition }) => [name, definition]),
  )
  const texts = Object.entries(fields).map(([name, field]) => [
    name,
    definitions.get(name)?.type === 'password' ? unknownSecret : fieldText(model, field),
  ])
  const text = withMembers(rest, { fields: withMembers({}, Object.fromEntries(texts)) })
  written.set(group, text)
  return text
}

const unknownSecret = JSON.stringify({ kind: 'scalar', value: undefined })

/** The server sends no password, so that two values of one never overlap; those of components may. */
const fieldText = (model: FormModel, field: FieldValue): string =>
  field.kind === 'components'
    ? withMembers(
        { kind: field.kind },
        { items: listText(field.items.map((item) => groupText(model, item))) },
      )
    : JSON.stringify(field)
