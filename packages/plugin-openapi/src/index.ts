/** The public surface of @octavo/plugin-openapi. */

import '@octavo/core/engine'

export type { ApiInfo } from './document/document.ts'
export { describeServer, openapi } from './openapi.ts'
export type { OpenApiOptions } from './options.ts'
export { problem as openapiProblem } from './problems.ts'
