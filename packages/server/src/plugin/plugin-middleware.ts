import { type Logger, OctavoError, PluginError } from '@octavo/core'
import type { Context, Middleware } from 'koa'
import type { Action } from './action.ts'

/**
 * The place at which a middleware of a plugin runs:
 * - `request`: around every request, before the caller is known, after the middleware of the program
 * - `action`: around the action of an endpoint or of a plugin's route, when the caller is known and may do it
 */
export type MiddlewarePosition = 'request' | 'action'

/**
 * A Koa middleware around an action. `context.state.octavo` is the state of the caller.
 *
 * @param action Its name is empty for a route without an action.
 */
export type ActionMiddleware = (
  context: Context,
  next: () => Promise<void>,
  action: Action,
) => void | Promise<void>

/** Adds the middleware of a plugin. Plugins run in their order, the first one outermost. */
export interface MiddlewareChain {
  /** Adds Koa middleware around requests, before the caller is known. */
  add(
    position: 'request',
    middleware: (context: Context, next: () => Promise<void>) => void | Promise<void>,
  ): void
  /** Adds middleware around the work of a request, when its caller has the right to it. It gets the action as well. */
  add(position: 'action', middleware: ActionMiddleware): void
}

/** Runs an action inside of the middleware of plugins. */
export type Around = (context: Context, action: Action, run: () => Promise<void>) => Promise<void>

/** The middleware of all plugins. */
export class PluginMiddleware {
  readonly request: Middleware[] = []
  readonly #action: ActionMiddleware[] = []
  readonly #logger: Logger

  constructor(logger: Logger) {
    this.#logger = logger
  }

  /** The registration interface of a plugin. @throws PluginError for an unknown position, and for a value that is not a function */
  of(plugin: string): MiddlewareChain {
    const checked = <M extends AnyMiddleware>(middleware: M): M =>
      blaming(plugin, awaited(middleware, `of the plugin "${plugin}"`, this.#logger))
    return {
      add: (position: MiddlewarePosition, middleware: ActionMiddleware) => {
        if (typeof middleware !== 'function')
          throw new PluginError(plugin, 'server:middleware', 'the middleware is no function')
        if (position === 'request') this.request.push(checked(middleware as Middleware))
        else if (position === 'action') this.#action.push(checked(middleware))
        else
          throw new PluginError(
            plugin,
            'server:middleware',
            `there is no position "${String(position)}"; there are request and action`,
          )
      },
    }
  }

  /** `undefined` without middleware around actions: they then run as if this did not exist. */
  get around(): Around | undefined {
    const all = this.#action
    if (all.length === 0) return undefined
    return async (context, action, run) => {
      const outermost = all.reduceRight<() => Promise<void>>(
        (next, one) => async () => one(context, next, action),
        run,
      )
      await outermost()
    }
  }
}

/**
 * Waits for `next()` where a middleware does not: without the answer of what is inside, the client would get a 404, though a write
 * happens, and an error there would end the process.
 *
 * @param whose For the log, which names each middleware once: `of the plugin "audit"`.
 */
export function awaited<M extends AnyMiddleware>(middleware: M, whose: string, logger: Logger): M {
  let isLogged = false
  const wrapped = async (context: Context, next: () => Promise<void>, ...rest: never[]): Promise<void> => {
    let inner: Promise<void> | undefined
    let isPending = false
    await middleware(
      context,
      () => {
        isPending = true
        inner = next().finally(() => {
          isPending = false
        })
        return inner
      },
      ...rest,
    )
    if (!isPending) return
    if (!isLogged)
      logger.error({}, `A middleware ${whose} ended before next() did: it must await next(), or return it`)
    isLogged = true
    await inner
  }
  return wrapped as unknown as M // the same parameters
}

type AnyMiddleware = (context: Context, next: () => Promise<void>, ...rest: never[]) => unknown

/** Names the plugin in errors of its middleware. Errors from further inside, and answers to the client, pass unchanged. */
function blaming<M extends AnyMiddleware>(plugin: string, middleware: M): M {
  const wrapped = async (context: Context, next: () => Promise<void>, ...rest: never[]): Promise<void> => {
    const inside = new Set<unknown>()
    let isCalled = false
    try {
      await middleware(
        context,
        async () => {
          if (isCalled) throw new Error('next() was called twice')
          isCalled = true
          try {
            await next()
          } catch (error) {
            inside.add(error)
            throw error
          }
        },
        ...rest,
      )
    } catch (error) {
      if (inside.has(error) || isAnswer(error)) throw error
      throw new PluginError(
        plugin,
        'server:middleware',
        error instanceof Error ? error.message : String(error),
        error,
      )
    }
  }
  return wrapped as unknown as M // the same parameters
}

/** An OctavoError, or an error of `context.throw`, which has a status. */
const isAnswer = (error: unknown): boolean =>
  error instanceof OctavoError ||
  error instanceof PluginError ||
  (error instanceof Error && 'status' in error && typeof error.status === 'number')
