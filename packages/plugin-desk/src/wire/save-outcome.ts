/** How a save of an entry ends. */
import { type FieldError, type Form, type GroupValue, keyNamed, placeErrors } from '../form/index.ts'
import type { EntryData } from './load.ts'
import type { Answered, Outcome, WireError } from './wire.ts'

/** Values that are saved beside the fields of the form, such as `publishedAt`. */
export type SaveState = Readonly<Record<string, unknown>>

/** The state that a save still has to send: an entry that somebody else has published keeps the date of that. */
export function stateToSend(state: SaveState, stored: EntryData | undefined): SaveState {
  const { publishedAt, ...others } = state
  const former = stored?.attributes.publishedAt
  const isDone = typeof former === 'string' && typeof publishedAt === 'string' && former <= publishedAt
  return isDone ? others : state
}

export type SaveOutcome =
  /** `merged`: somebody else has changed other fields meanwhile. */
  | { readonly kind: 'saved'; readonly merged?: boolean }
  /** Values of two people overlap: the form shows them, and a save is possible when they are resolved. */
  | { readonly kind: 'overlaps' }
  /** Nothing was lost: the same save is to be called again, after signing in or later. */
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'unknown'; readonly answered?: Answered }
  /** The server has no room, and nothing was done: the same save is to be called again, after these seconds where the server names them. */
  | { readonly kind: 'busy'; readonly after: number | undefined }
  /** Somebody has deleted the entry, or the right to read it is gone. */
  | { readonly kind: 'missing' }
  /** The person may read the entry, and change others of its kind. */
  | { readonly kind: 'read-only' }
  /** The entry was to stay a draft, and somebody else has published it: nothing was sent. */
  | { readonly kind: 'published' }
  /** The entry has a part that the definitions of this page lack: what was typed is kept, for a page that is loaded again. */
  | { readonly kind: 'outdated' }
  /** The errors are in the form as well. */
  | { readonly kind: 'refused'; readonly error: WireError; readonly errors: readonly FieldError[] }

/** The outcome of a request without a save. The mistakes of a refusal are shown at the fields that were sent. */
export function failureOf(form: Form, outcome: Outcome, sent: GroupValue): SaveOutcome {
  switch (outcome.kind) {
    case 'refused': {
      const { details } = outcome.error
      const field = details?.field
      const errors =
        field === undefined
          ? placeErrors(sent, details?.errors ?? [])
          : [{ key: keyNamed(sent, field), message: outcome.error.message }]
      form.setErrors(errors)
      return { kind: 'refused', error: outcome.error, errors }
    }
    case 'busy':
    case 'unknown':
      return outcome
    case 'signed-out':
    case 'missing':
    case 'outdated':
      return { kind: outcome.kind }
    case 'ok':
    case 'changed':
      return { kind: 'unknown' }
  }
}
