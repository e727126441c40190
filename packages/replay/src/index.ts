/** The public surface of @octavo/replay. */

export type { Difference } from './compare.ts'
export { type ReplayOptions, type ReplayProgress, replay } from './replay.ts'
export { ReplayError } from './replay-error.ts'
export { htmlReport } from './report/html.ts'
export type { DifferenceGroup, ReplayReport, ServerTimes } from './report/report.ts'
