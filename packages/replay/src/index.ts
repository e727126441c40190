/** The public surface of @octavo/replay. */

export type { Cause, Rank } from './causes.ts'
export type { Difference } from './compare.ts'
export { type ReplayOptions, type ReplayProgress, replay } from './replay.ts'
export { ReplayError } from './replay-error.ts'
export { htmlReport } from './report/html.ts'
export type { DifferenceGroup, Example, ReplayReport, ServerTimes } from './report/report.ts'
export { textReport } from './report/text.ts'
