import { AsyncLocalStorage } from 'node:async_hooks'
import type { Step, Trace } from '@octavo/core'
import type { Middleware } from 'koa'
import { openSpans } from './open-telemetry.ts'
import { StepTimes } from './server-timing.ts'

export interface Tracing {
  readonly trace: Trace
  /** Begins the record of a request. */
  readonly middleware: Middleware
}

/** Records the steps of one request. */
type Recorder = <T>(step: Step, work: () => T) => T

/**
 * The header `Server-Timing`, and spans for OpenTelemetry where `@opentelemetry/api` is installed and has a provider.
 * `undefined` when there is neither: requests then do no work for it.
 */
export function openTracing(hasTiming: boolean): Tracing | undefined {
  const beginSpans = openSpans()
  if (!beginSpans && !hasTiming) return undefined
  const recorders = new AsyncLocalStorage<Recorder>()
  return {
    trace: (step, work) => {
      const recorder = recorders.getStore()
      return recorder ? recorder(step, work) : work()
    },
    middleware: async (context, next) => {
      const spans = beginSpans?.(context)
      const times = hasTiming ? new StepTimes() : undefined
      if (!spans && !times) return next()
      const recorder: Recorder = (step, work) => {
        const timed = times ? () => times.step(step, work) : work
        return spans ? spans.step(step, timed) : timed()
      }
      const answered = async (): Promise<void> => {
        await recorders.run(recorder, next)
        if (times && !context.headerSent) context.set('Server-Timing', times.header)
      }
      return spans ? spans.request(answered) : answered()
    },
  }
}
