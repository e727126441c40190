import type { Logger } from '@octavo/database'
import { PluginError } from '../plugin/plugin-error.ts'
import type { FilteredEvent, WriteFilter } from '../plugin/write-event.ts'
import { type Trace, untraced } from '../trace.ts'
import { checkHandler } from './check-handler.ts'
import type { FilterType } from './check-write-filter.ts'
import { checked, inTime, isThenable, refusePromise, refuseUnread, returned } from './hook-answers.ts'
import { asked, attempt, blame, isFor } from './hook-errors.ts'
import type { HookRow } from './hook-row.ts'
import type { Answer, Args, Attributed, Collected, Decided, Of, Question, Synchronous } from './hook-types.ts'
import type { HookHandler, HookName, WriteHook } from './hooks.ts'
import { UnfinishedHandlers } from './unfinished-handlers.ts'

/** The result of a hook whose handlers have answered without a promise. */
const passed: Promise<void> = Promise.resolve()

interface Registered {
  readonly plugin: string
  readonly handler: (...args: never[]) => unknown
  readonly filter: WriteFilter | undefined
}

/**
 * Runs the handlers of a hook as its kind defines. Errors of handlers are wrapped in a {@link PluginError} that names the
 * plugin and the hook; an {@link OctavoError} is a response to the client and is rethrown unchanged.
 */
export class HookRunner {
  readonly #rows: ReadonlyMap<string, HookRow>
  readonly #handlers = new Map<string, Registered[]>()
  readonly #logger: Logger
  readonly #trace: Trace
  /** The handlers that have not ended. */
  readonly unfinished = new UnfinishedHandlers()

  constructor(rows: ReadonlyMap<string, HookRow>, logger: Logger, trace: Trace = untraced) {
    this.#rows = rows
    this.#logger = logger
    this.#trace = trace
  }

  /** The rows of all hooks, by name. */
  get table(): ReadonlyMap<string, HookRow> {
    return this.#rows
  }

  /**
   * @throws PluginError for an unknown hook, a handler that is no function, and an `async` handler of a hook that is
   *   synchronous.
   */
  add<N extends HookName>(plugin: string, name: N, handler: HookHandler<N>, filter?: WriteFilter): void {
    checkHandler(this.#rows, plugin, name, handler, filter)
    const handlers = this.#handlers.get(name)
    // The methods below check the types of the arguments by the name of the hook.
    const registered: Registered = { plugin, handler: handler as Registered['handler'], filter }
    if (handlers) handlers.push(registered)
    else this.#handlers.set(name, [registered])
  }

  /** The uids that filters of handlers name in lists. */
  filterTypes(): readonly FilterType[] {
    return [...this.#handlers].flatMap(([hook, handlers]) =>
      handlers.flatMap(({ plugin, filter }) =>
        typeof filter?.types === 'object' ? filter.types.map((uid) => ({ plugin, hook, uid })) : [],
      ),
    )
  }

  /** Whether the hook has handlers; with the event of a write, whether it has handlers for this write. */
  has(name: HookName, event?: FilteredEvent): boolean {
    return event === undefined ? this.#handlers.has(name) : this.#of(name, [event]).length > 0
  }

  /** The answer of each handler's filter to a question about this write. */
  ask<T>(name: WriteHook, event: FilteredEvent, question: Question<T>): readonly T[] {
    return this.#of(name, [event]).map(({ plugin, filter = {} }) =>
      asked(plugin, name, () => question(filter, plugin)),
    )
  }

  /**
   * `register`, synchronous: each handler gets what `to` makes for its plugin.
   * @param failed Receives the error of a handler, and throws it or continues with the others. Default: it is thrown.
   */
  register<N extends Of<'register'>>(
    name: N,
    to: (plugin: string) => Args<N>[0],
    failed?: (error: unknown, plugin: string) => void,
  ): void {
    for (const registered of this.#of(name, [])) {
      const { plugin, handler } = registered
      try {
        const given = to(plugin) as never // the argument of the hook of this name
        const run = () => attempt(() => handler(given), failed, plugin)
        refuseUnread(this.#traced(registered, name, run), given)
      } catch (error) {
        throw blame(plugin, name, error)
      }
    }
  }

  /** `collect`, synchronous: the results of the handlers without `undefined`. For read hooks. */
  collect<N extends Of<'collect'>>(name: N, ...args: Args<N>): readonly Collected<N>[] {
    const answers: Collected<N>[] = []
    for (const registered of this.#of(name, args)) {
      const answer = this.#callNow(registered, name, args)
      if (answer === undefined) continue
      const named = this.#rows.get(name)?.named?.(answer as never, registered.plugin) // the hook has accepted it
      answers.push((named ?? answer) as Collected<N>)
    }
    return answers
  }

  /** `collect`, with the plugin of each result. */
  collectByPlugin<N extends Of<'collect'>>(name: N, ...args: Args<N>): readonly Attributed<Collected<N>>[] {
    const answers: Attributed<Collected<N>>[] = []
    for (const registered of this.#of(name, args)) {
      const answer = this.#callNow(registered, name, args)
      if (answer !== undefined) answers.push({ plugin: registered.plugin, answer: answer as Collected<N> })
    }
    return answers
  }

  /** `transform`, synchronous: each handler receives the result of the previous one. For hooks with one argument. */
  transform<N extends Synchronous<Of<'transform'>>>(name: N, value: Args<N>[0]): Args<N>[0] {
    let current = value
    for (const registered of this.#of(name, []))
      current = returned(registered, name, this.#callNow(registered, name, [current])) as Args<N>[0]
    return current
  }

  /**
   * `transform`: all handlers receive the same further arguments. Not async, for the reason of `decide`.
   * @param step Called with the result of each handler.
   * @returns the result of the last handler, or a promise of it
   */
  transformSteps<N extends Of<'transform'>>(
    name: N,
    step: (result: Args<N>[0]) => void,
    ...[value, ...rest]: Args<N>
  ): Args<N>[0] | Promise<Args<N>[0]> {
    let current: unknown = value
    const take = (registered: Registered, answer: unknown): void => {
      current = returned(registered, name, answer)
      step(current as Args<N>[0])
    }
    const run = (handlers: readonly Registered[]): unknown => {
      for (const [i, registered] of handlers.entries()) {
        const answer = this.#call(registered, name, [current, ...rest])
        if (answer instanceof Promise)
          return answer.then((later) => {
            take(registered, later)
            return run(handlers.slice(i + 1))
          })
        take(registered, answer)
      }
      return current
    }
    return run(this.#of(name, rest)) as Args<N>[0] | Promise<Args<N>[0]>
  }

  /**
   * `decide`: the first result that is not `undefined`. Not async, nor is `guard`: every request waits for several hooks, whose handlers
   * answer at once.
   */
  decide<N extends Of<'decide'>>(name: N, ...args: Args<N>): Promise<Answer<N> | undefined> {
    try {
      const decided = this.#decide(name, this.#of(name, args), args)
      if (decided instanceof Promise) return decided.then((found) => found?.answer)
      return Promise.resolve(decided?.answer)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /** `decide`, with the plugin of the result. */
  async decideByPlugin<N extends Of<'decide'>>(
    name: N,
    ...args: Args<N>
  ): Promise<Attributed<Exclude<Answer<N>, undefined>> | undefined> {
    return this.#decide(name, this.#of(name, args), args)
  }

  #decide<N extends Of<'decide'>>(
    name: N,
    handlers: readonly Registered[],
    args: Args<N>,
  ): Decided<N> | Promise<Decided<N>> {
    for (let i = 0; i < handlers.length; i++) {
      const registered = handlers[i] as Registered // below its length
      const given = this.#call(registered, name, args)
      if (given instanceof Promise)
        return given.then(
          (answer) => attributed<N>(registered, answer) ?? this.#decide(name, handlers.slice(i + 1), args),
        )
      if (given !== undefined) return attributed<N>(registered, given)
    }
    return undefined
  }

  /** `guard`: runs all handlers in order until one throws. */
  guard<N extends Of<'guard'>>(name: N, ...args: Args<N>): Promise<void> {
    try {
      return this.#guard(name, this.#of(name, args), args)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  #guard<N extends Of<'guard'>>(name: N, handlers: readonly Registered[], args: Args<N>): Promise<void> {
    for (let i = 0; i < handlers.length; i++) {
      const given = this.#call(handlers[i] as Registered, name, args) // below its length
      if (given instanceof Promise) return given.then(() => this.#guard(name, handlers.slice(i + 1), args))
    }
    return passed
  }

  /** `notify`: runs all handlers and logs their errors. */
  async notify<N extends Of<'notify'>>(name: N, ...args: Args<N>): Promise<void> {
    for (const registered of this.#of(name, args)) {
      const { plugin } = registered
      const log = (err: unknown): void =>
        this.#logger.error({ err, plugin, hook: name }, 'A plugin failed in a notification hook')
      try {
        await inTime(this.#call(registered, name, args), this.#rows.get(name)?.patience, log)
      } catch (error) {
        log(error)
      }
    }
  }

  /** The handlers for these arguments, of which the last one is the event in the hooks of writes. */
  #of(name: string, args: readonly unknown[]): readonly Registered[] {
    const handlers = this.#handlers.get(name) ?? []
    if (!handlers.some(({ filter }) => filter)) return handlers
    const event = args.at(-1) as FilteredEvent // only hooks of writes have filters
    return handlers.filter((registered) => isFor(registered, name, event))
  }

  #traced<T>({ plugin }: Registered, hook: string, work: () => T): T {
    return this.#trace === untraced ? work() : this.#trace({ name: 'hook', details: { plugin, hook } }, work)
  }

  /** The result of a handler of a synchronous hook. */
  #callNow(registered: Registered, name: string, args: readonly unknown[]): unknown {
    const answer = this.#call(registered, name, args)
    try {
      refusePromise(answer)
    } catch (error) {
      throw blame(registered.plugin, name, error)
    }
    return answer
  }

  /** The checked result of a handler, or a promise of it. A handler that answers at once costs its request no promise. */
  #call(registered: Registered, name: string, args: readonly unknown[]): unknown {
    try {
      const answer = this.#traced(registered, name, () => registered.handler(...(args as never[])))
      return isThenable(answer)
        ? this.#later(registered, name, answer)
        : checked(answer, this.#rows.get(name))
    } catch (error) {
      throw blame(registered.plugin, name, error)
    }
  }

  async #later(registered: Registered, name: string, answer: PromiseLike<unknown>): Promise<unknown> {
    try {
      return checked(await this.unfinished.during(registered.plugin, name, answer), this.#rows.get(name))
    } catch (error) {
      throw blame(registered.plugin, name, error)
    }
  }
}

/** A handler's answer with its plugin; `undefined` for none. */
const attributed = <N extends HookName>({ plugin }: Registered, answer: unknown): Decided<N> =>
  answer === undefined ? undefined : { plugin, answer: answer as Exclude<Answer<N>, undefined> }
