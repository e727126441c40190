import { defineState } from './state-key.ts'

/**
 * Whether a request can find deleted entries that remain in the database, because `entry:delete` turned their delete into an update. A plugin
 * that hides them in `query:node` shows them to requests with this state:
 *
 *     const finds = host.fact('with-deleted', (state) => String(withDeleted.of(state) === true))
 *
 * No request over HTTP has it by itself. Plugins and programs add it: a feed of changes decides with it who may know that
 * such an entry was deleted.
 */
export const withDeleted = defineState<boolean>('withDeleted')
