/** The public surface of @octavo/plugin-pages. */

import '@octavo/core/engine'

export type { PagesOptions } from './options.ts'
export { pages } from './pages.ts'
export { problem as pagesProblem } from './problems.ts'
