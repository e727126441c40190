import { isObject } from '../kinds-of-values.ts'

/**
 * The way in which the answers of several plugins combine:
 * - `decide`: the first result that is not `undefined` wins
 * - `transform`: each handler gets what the one before returned, and returns the same type
 * - `collect`: all answers that are not `undefined`, in order; joined by the rule in the row
 * - `guard`: any handler may throw to refuse; none changes anything
 * - `notify`: runs after the fact; a failure is logged and changes no answer
 * - `register`: each handler gets what adds things under its plugin's name, and returns nothing
 */
export type HookKind = 'decide' | 'transform' | 'collect' | 'guard' | 'notify' | 'register'

export type AnyHandler = (...args: never[]) => unknown

/** The valid results of a handler besides `undefined`, for handlers that no compiler has checked. */
export interface ValidResult {
  /** Completes "the handler returned …, not": `an object or undefined`. */
  readonly expected: string
  readonly accepts: (answer: unknown) => boolean
}

/** For handlers that return an object. */
export const objectResult: ValidResult = { expected: 'an object or undefined', accepts: isObject }
/** For handlers that return a boolean. */
export const booleanResult: ValidResult = {
  expected: 'true, false or undefined',
  accepts: (answer) => typeof answer === 'boolean',
}

/** The documentation of a hook, printed in docs/hooks.md, and the check of its results. */
export interface HookDoc {
  /** The purpose of the hook, in one sentence. */
  readonly purpose: string
  /** When it runs, and for `collect` how the answers are joined. */
  readonly when: string
  /** The step before it. */
  readonly before: string
  /** The step after it. */
  readonly after: string
  /** The valid results. Any other result is an error that names plugin and hook. Default: results are not checked. */
  readonly returns?: ValidResult
  /** For `collect`: wraps a result whose functions run later, so that their errors name the plugin. Default: the result itself. */
  readonly named?: (answer: never, plugin: string) => unknown
  /** For `notify`: milliseconds to wait for a handler, which continues afterwards. Default: until it ends. */
  readonly patience?: number
}

/** One hook: its kind, its documentation and, as a type only, its handler. Created by {@link decide} and its siblings. */
export interface HookRow<K extends HookKind = HookKind, H extends AnyHandler = AnyHandler> extends HookDoc {
  readonly kind: K
  /** Never set; it carries the type of the handler. */
  readonly handler?: H
}

export const decide = <H extends AnyHandler>(doc: HookDoc): HookRow<'decide', H> => ({
  kind: 'decide',
  ...doc,
})
export const collect = <H extends AnyHandler>(doc: HookDoc): HookRow<'collect', H> => ({
  kind: 'collect',
  ...doc,
})
export const guard = <H extends (...args: never[]) => void | Promise<void>>(
  doc: HookDoc,
): HookRow<'guard', H> => ({
  kind: 'guard',
  ...doc,
})
export const notify = <H extends (...args: never[]) => void | Promise<void>>(
  doc: HookDoc,
): HookRow<'notify', H> => ({
  kind: 'notify',
  ...doc,
})
/** A handler receives an object whose methods add things in the name of its plugin. */
export const register = <H extends (to: never) => void>(doc: HookDoc): HookRow<'register', H> => ({
  kind: 'register',
  ...doc,
})
/** A handler receives the value, then the hook's other arguments, and returns a value of the same type. */
export const transform = <H extends (value: never, ...rest: never[]) => unknown>(
  doc: HookDoc &
    (Awaited<ReturnType<H>> extends Parameters<H>[0]
      ? unknown
      : 'a transform returns the type that it takes'),
): HookRow<'transform', H> => ({ ...(doc as HookDoc), kind: 'transform' })

/** A table of hooks by name, `subject:moment`. */
export type HookTable = Readonly<Record<string, HookRow>>

/** The handler of a row. */
export type HandlerOf<R> = R extends { readonly handler?: infer H } ? Extract<H, AnyHandler> : never
