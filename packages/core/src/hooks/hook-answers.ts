/** The kinds of answers that handlers of hooks return. */
import { inspect } from 'node:util'
import { isObject, kindOf } from '../kinds-of-values.ts'
import { PluginError } from '../plugin/plugin-error.ts'
import type { HookRow } from './hook-row.ts'

export const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'

/**
 * Waits for the result of a handler.
 *
 * @param patience Milliseconds; default: until it ends.
 * @param failed Receives the error of a handler that took longer, when it comes.
 * @throws Error when it takes longer
 */
export async function inTime(
  answer: unknown,
  patience: number | undefined,
  failed: (error: unknown) => void,
): Promise<void> {
  if (!isThenable(answer) || patience === undefined) return void (await answer)
  let isLate = false
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const message = `the handler has not ended after ${patience} ms; nothing waits for it any longer`
    timer = setTimeout(() => {
      isLate = true
      reject(new Error(message))
    }, patience)
  })
  answer.then(undefined, (error: unknown) => {
    if (isLate) failed(error)
  })
  try {
    await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

/** @throws Error for a promise. @param message Default: the message for a handler of a synchronous hook. */
export function refusePromise(
  answer: unknown,
  message = 'the handler returned a promise, and this hook is synchronous',
): void {
  if (!isThenable(answer)) return
  // The error below takes the place of its own, which nothing else would handle: the process would end.
  answer.then(undefined, () => {})
  throw new Error(message)
}

/** The result of a function of a plugin that is used at once. @throws Error for a promise */
export function atOnce<T>(result: T): T {
  refusePromise(result, 'a function returned a promise, and its result is used at once')
  return result
}

/** The message of a thrown value, which may be anything. */
export const thrownText = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : typeof thrown === 'object' ? inspect(thrown) : String(thrown)

/**
 * Refuses a list or an object from a handler that registers by methods. Other values come from short functions:
 * `(routes) => names.push(routes.prefix)`.
 *
 * @param given The argument of the handler, which a chain of its methods returns.
 * @throws Error for a promise, and for what the author means to be registered
 */
export function refuseUnread(answer: unknown, given: unknown): void {
  refusePromise(answer)
  if (answer === given) return
  const isMeant =
    Array.isArray(answer) || (isObject(answer) && Object.getPrototypeOf(answer) === Object.prototype)
  if (isMeant)
    throw new Error(
      `the handler returned ${kindOf(answer)}, which nothing reads; call the methods of the argument of this hook instead`,
    )
}

/** The result of a transform. @throws PluginError for nothing, which would take the place of the value. */
export function returned({ plugin }: { readonly plugin: string }, hook: string, answer: unknown): unknown {
  if (answer === undefined || answer === null)
    throw new PluginError(
      plugin,
      hook,
      `the handler returned ${kindOf(answer)}, not the value that it was given or a new one`,
    )
  return answer
}

/** Whether a function is declared as `async`. A build for old targets hides it; the result is then checked. */
export const isAsync = (handler: unknown): boolean =>
  Object.prototype.toString.call(handler) === '[object AsyncFunction]'

/** The answer of a handler. @throws Error for one that the hook does not have, which would fail later and far from its plugin */
export function checked(answer: unknown, row: HookRow | undefined): unknown {
  if (answer === undefined) return answer
  if (row?.kind === 'guard' && answer === false)
    throw new Error('the handler returned false; it refuses with an error, such as a ForbiddenError')
  if (row?.returns?.accepts(answer) === false)
    throw new Error(`the handler returned ${kindOf(answer)}, not ${row.returns.expected}`)
  return answer
}
