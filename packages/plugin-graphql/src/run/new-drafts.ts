/** The state of entries that mutations create. */
import type { RequestState } from '@octavo/core'
import type { FilteredEvent, PluginHost } from '@octavo/core/plugin'
import { hasDrafts } from '../schema/values.ts'

/** No text is equal to a symbol, so no body can set it. */
const key: unique symbol = Symbol('octavo.graphql.draft')

declare module '@octavo/core' {
  interface RequestState {
    readonly [key]?: true
  }
}

/** The state of a write whose new entry is a draft. */
export const asDraft = (state: RequestState): RequestState => ({ ...state, [key]: true })

/**
 * Makes drafts of the entries that mutations create without `publishedAt`, as in the reference; REST publishes such entries. These drafts
 * must be as complete as published entries, while a draft with `publishedAt: null` may lack values.
 */
export function writeDrafts(host: PluginHost): void {
  const isMarked = ({ action, by, state }: FilteredEvent): boolean =>
    action === 'create' && by === 'caller' && state[key] === true
  const writes = { types: hasDrafts, when: isMarked, database: false } as const
  host.hook('entry:input', (input) => ({ ...input, publishedAt: null }), writes)
  host.hook('entry:strictness', () => 'complete' as const, writes)
}
