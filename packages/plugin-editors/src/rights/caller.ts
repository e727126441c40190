import type { RequestState } from '@octavo/core'
import { defineState } from '@octavo/core/plugin'
import type { Grants } from './grants.ts'

/** The editor of a request. */
export interface Editor {
  readonly id: number
  readonly grants: Grants
  /** The admitted action of a plugin's route: `api::article.article.publish`. Set by `server:authorize`. */
  admitted?: string
  /** Whether the request changes a file, for which the route of uploads has no action of its own. */
  changesFile?: boolean
}

const editor = defineState<Editor>('editor')

/** The editor of a request; `undefined` for users, tokens, programs and strangers. */
export const editorOf = (state: RequestState): Editor | undefined => editor.of(state)

/**
 * The state of an editor's request. Plugins that check the rights of users allow everything; this one narrows instead.
 * @param unrestricted From `host.unrestricted`.
 */
export const stateOfEditor = (given: Editor, unrestricted: RequestState): RequestState =>
  editor.with(given, { ...unrestricted, caller: `editor ${given.id}` })
