/** The public surface of @octavo/plugin-changes. */

import '@octavo/core/engine'

export { changes } from './changes.ts'
export type { ChangesOptions } from './options.ts'
export { problem as changesProblem } from './problems.ts'
export type { ChangeKind } from './recording.ts'
