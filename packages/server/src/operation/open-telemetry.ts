import { createRequire } from 'node:module'
import { OctavoError, type Step } from '@octavo/core'
import type { Span, SpanOptions, Tracer } from '@opentelemetry/api'
import type { Context } from 'koa'
import { observed } from './observed.ts'

type Api = typeof import('@opentelemetry/api')

/** The spans of one request. */
export interface RequestSpans {
  /** Runs the rest of the request within its span, and ends the span. */
  request(work: () => Promise<void>): Promise<void>
  /** Runs a step within a span of its own. */
  step<T>(step: Step, work: () => T): T
}

const require = createRequire(import.meta.url)

/** Spans for OpenTelemetry; `undefined` when `@opentelemetry/api` is not installed. */
export function openSpans(): ((context: Context) => RequestSpans | undefined) | undefined {
  if (!isInstalled()) return undefined
  let loaded: { readonly api: Api; readonly tracer: Tracer } | undefined
  return (context) => {
    if (!hasProvider()) return undefined
    loaded ??= load()
    return spansOf(context, loaded.tracer, loaded.api)
  }
}

/** The property of `globalThis` in which every copy of version 1 of `@opentelemetry/api` stores the parts that programs register. */
const registered = Symbol.for('opentelemetry.js.api.1')

/**
 * Whether a provider is registered, which a program may do at any time. Without one a request does no work for spans, and the
 * 44 modules of the library are not loaded.
 */
const hasProvider = (): boolean =>
  (globalThis as { readonly [registered]?: { readonly trace?: unknown } })[registered]?.trace !== undefined

function isInstalled(): boolean {
  try {
    require.resolve('@opentelemetry/api')
    return true
  } catch {
    return false
  }
}

function load(): { readonly api: Api; readonly tracer: Tracer } {
  // The program has loaded it already, to register its provider.
  const api = require('@opentelemetry/api') as Api
  return { api, tracer: api.trace.getTracer('@octavo/server') }
}

/** @returns `undefined` for requests that the sampler of the provider leaves out. */
function spansOf(context: Context, tracer: Tracer, api: Api): RequestSpans | undefined {
  const { method, path, headers } = context
  const active = api.trace.getActiveSpan()
  // A span of an instrumentation of node:http is the parent, else the caller's.
  const parent = active ? api.context.active() : api.propagation.extract(api.context.active(), headers)
  const options: SpanOptions = {
    kind: active ? api.SpanKind.INTERNAL : api.SpanKind.SERVER,
    // Without the query string, which may contain private data.
    attributes: { 'http.request.method': method, 'url.path': path },
  }
  const span = tracer.startSpan(method, options, parent)
  if (!span.isRecording()) return undefined
  const fail = (failed: Span, error: unknown): void => {
    if (error instanceof OctavoError && error.status < 500) return
    failed.setStatus({ code: api.SpanStatusCode.ERROR })
  }
  return {
    request: (work) =>
      api.context.with(api.trace.setSpan(parent, span), async () => {
        try {
          await work()
        } finally {
          span.setAttribute('http.response.status_code', context.status)
          if (context.status >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR })
          span.end()
        }
      }),
    step: ({ name, details = {} }, work) =>
      tracer.startActiveSpan(`octavo.${name}`, { attributes: attributesOf(details) }, (step) =>
        observed(
          work,
          () => step.end(),
          (error) => fail(step, error),
        ),
      ),
  }
}

/** By OpenTelemetry's names where it has one. */
const attributesOf = ({
  statement,
  ...names
}: NonNullable<Step['details']>): Readonly<Record<string, string>> => ({
  ...(statement !== undefined && { 'db.system.name': 'postgresql', 'db.query.text': statement }),
  ...Object.fromEntries(Object.entries(names).map(([name, value]) => [`octavo.${name}`, value])),
})
