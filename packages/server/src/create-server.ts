import {
  type ComponentDefinition,
  type ComponentList,
  ConfigurationError,
  type ContentTypeDefinition,
  type ContentTypeList,
  createOctavo,
  type ModelOf,
  type Octavo,
  type TypedOctavo,
} from '@octavo/core'
import { checkOptions } from '@octavo/core/internal'
import type { ContentType, Registry } from '@octavo/core/plugin'
import type Koa from 'koa'
import { type Application, application } from './application.ts'
import type { Lifecycle } from './operation/health.ts'
import { createLogger } from './operation/logger.ts'
import { openTracing } from './operation/tracing.ts'
import type { Endpoint } from './request/endpoints.ts'
import { serverKeys } from './server-keys.ts'
import { octavoOptions, readPrefix, type ServerOptions } from './server-options.ts'
import { type Entrance, type Listener, type Listening, listen } from './socket/listen.ts'
import { withDeadline } from './socket/with-deadline.ts'

/** @typeParam O Has the types of the model if `createServer` was given its definitions. */
export interface Server<O = Octavo> {
  /** The Koa application: `app.callback()` is a request listener for `node:http`, Express and others. */
  readonly app: Koa
  readonly octavo: O
  readonly registry: Registry
  /**
   * @param port Default 1337; 0 takes a free one.
   * @param host Default: every address, or 127.0.0.1 where no plugin authorizes requests.
   * @throws ConfigurationError when the address cannot be listened on, and when the server is closed
   */
  listen(port?: number, host?: string): Promise<Listening>
  /** All endpoints: those of content-types, of plugins, and of the server itself. */
  endpoints(): readonly Endpoint[]
  /**
   * Adds a content-type while running; its endpoints exist at once. See `Octavo.addContentType`.
   */
  addContentType(definition: ContentTypeDefinition): Promise<ContentType>
  /**
   * Answers requests for the time `drain`, lets those in flight end within `grace`, then closes the database.
   * @param options Default: the options of the server.
   * @throws Error when the database cannot be closed within `grace`: a connection is still in use.
   */
  close(options?: { readonly drain?: number }): Promise<void>
}

/**
 * @throws the errors of `createOctavo` and of `server:start`; PluginError for conflicting routes of plugins; ConfigurationError for a
 *   content-type with an endpoint that a plugin's route answers. All resources are closed then.
 */
export async function createServer<
  const T extends ContentTypeList = readonly ContentTypeDefinition[],
  const C extends ComponentList = readonly ComponentDefinition[],
>(
  options: ServerOptions & { readonly contentTypes?: T; readonly components?: C } = {},
): Promise<Server<TypedOctavo<ModelOf<T, C>>>> {
  const server = await unstartedServer(options)
  try {
    await server.octavo.hooks.guard('server:start')
  } catch (error) {
    await server.octavo.close()
    throw error
  }
  const started: unknown = server
  // `octavo` was created from the definitions that the types are derived from.
  return started as Server<TypedOctavo<ModelOf<T, C>>>
}

/**
 * A server for descriptions of its endpoints: `server:start` does not run, so it prepares nothing for requests.
 * @throws as {@link createServer}
 */
export async function unstartedServer(options: ServerOptions): Promise<Server> {
  checkOptions(options, serverKeys, 'createServer')
  const prefix = readPrefix(options.api?.rest?.prefix)
  const logger = options.logger ?? (await createLogger(options.log?.format))
  const tracing = openTracing(options.serverTiming ?? false)
  const octavo = await createOctavo({
    ...octavoOptions({ ...options, logger }),
    ...(tracing && { trace: tracing.trace }),
  })
  try {
    const lifecycle: Lifecycle = { isStopping: false }
    const built = await application(octavo, prefix, options, lifecycle, tracing?.middleware)
    return new RunningServer(octavo, built, lifecycle, options)
  } catch (error) {
    await octavo.close()
    throw error
  }
}

class RunningServer implements Server {
  readonly app: Koa
  readonly octavo: Octavo
  readonly endpoints: () => readonly Endpoint[]
  readonly #lifecycle: Lifecycle
  readonly #drain: number
  readonly #grace: number
  readonly #entrance: Entrance
  readonly #listeners: Listener[] = []
  #closing: Promise<void> | undefined

  constructor(
    octavo: Octavo,
    { app, endpoints, refusals, door }: Application,
    lifecycle: Lifecycle,
    options: ServerOptions,
  ) {
    this.octavo = octavo
    this.app = app
    this.endpoints = endpoints
    this.#lifecycle = lifecycle
    this.#drain = options.drain ?? 0
    this.#grace = options.grace ?? 10_000
    this.#entrance = { door, refused: (code) => refusals.note(code) }
  }

  get registry(): Registry {
    return this.octavo.registry
  }

  async listen(port = 1337, host?: string): Promise<Listening> {
    // The connections of the database end with the server, so that each request would fail.
    if (this.#closing) throw new ConfigurationError('The server is closed; createServer makes another one')
    const isGuarded = this.octavo.hooks.has('server:authorize')
    const listener = await listen(
      this.app,
      port,
      host ?? (isGuarded ? undefined : '127.0.0.1'),
      this.#entrance,
    )
    this.#listeners.push(listener)
    await this.octavo.hooks.notify('server:listen', listener.url)
    return listener
  }

  addContentType(definition: ContentTypeDefinition): Promise<ContentType> {
    return this.octavo.addContentType(definition)
  }

  close({ drain = this.#drain }: { readonly drain?: number } = {}): Promise<void> {
    this.#closing ??= this.#close(drain)
    return this.#closing
  }

  async #close(drain: number): Promise<void> {
    this.#lifecycle.isStopping = true
    const grace = this.#grace
    await Promise.all(this.#listeners.map(({ connections }) => connections.drain(drain)))
    const closing = this.octavo.hooks.notify('server:closing')
    const cut = await Promise.all(this.#listeners.map(({ connections }) => connections.stop(grace)))
    this.#warnOfCutRequests(cut.flat())
    await withDeadline(
      closing.then(() => this.octavo.close()),
      grace,
      (within) => {
        const { handlers } = this.#unfinished()
        const reason = handlers ? `, since hooks of plugins have not ended: ${handlers.join(', ')}` : ''
        return `The database was not closed ${within}${reason}`
      },
    )
  }

  /** @param requests The cut requests, such as `GET /api/articles`. */
  #warnOfCutRequests(requests: readonly string[]): void {
    if (requests.length === 0) return
    const examples = [...new Set(requests)].slice(0, 20)
    const message = `The stop cut off requests that had no answer within ${this.#grace} ms`
    this.octavo.logger.warn({ count: requests.length, requests: examples, ...this.#unfinished() }, message)
  }

  /** The handlers of plugins that still run, for messages: `{ handlers: ['octavo:stop of stuck'] }`. */
  #unfinished(): { readonly handlers?: readonly string[] } {
    const handlers = this.octavo.hooks.unfinished.names()
    return handlers.length > 0 ? { handlers } : {}
  }
}
