/** The public surface of @octavo/plugin-desk. */

import '@octavo/core/engine'

export { desk } from './desk.ts'
export type { DeskOptions } from './options.ts'
