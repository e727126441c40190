import {
  ConfigurationError,
  type ContentType,
  type ContentTypeDefinition,
  createOctavo,
  type Octavo,
  type OctavoOptions,
  type Registry,
  type RequestState,
} from '@octavo/core'
import Koa, { type Context, type Middleware } from 'koa'
import { answers, type LogOptions } from './answers.ts'
import { type BodyLimits, bodies as bodiesOf, defaultBodyLimits } from './body.ts'
import { type CacheOptions, cacheControlOf } from './caching.ts'
import { content, refuseMethod } from './content.ts'
import { notFound } from './errors.ts'
import { health } from './health.ts'
import { serverHooks } from './hooks.ts'
import { type Listening, listen, stop } from './listen.ts'
import { type Metrics, openMetrics } from './metrics.ts'
import { type CorsOptions, compression, crossOrigin, requestId, securityHeaders } from './middleware.ts'
import { normalizePath, refuseBadPath } from './path.ts'
import { positions } from './positions.ts'
import { PluginRoutes, type Route } from './routes.ts'

export interface ServerOptions extends Omit<OctavoOptions, 'rest' | 'hooks'> {
  readonly api?: {
    readonly rest?: {
      /** Where the content endpoints are; `/` for the root. Default `/api`. */
      readonly prefix?: string
      /** Entries of a page when none is asked. Default 25. */
      readonly defaultLimit?: number
      /** The most entries that one page may have. Default 100. */
      readonly maxLimit?: number
      /** Whether totals come along when not asked otherwise. Default true. */
      readonly withCount?: boolean
      /** Totals above this are PostgreSQL's estimate, and marked `estimated`. Default: all are counted. */
      readonly estimateCountAbove?: number
      /** Adds `POST /:plural/actions/bulk`. Default false. */
      readonly bulk?: boolean
    }
  }
  readonly cors?: CorsOptions
  /** What caches are told of answers, besides `options.cacheControl` of a content-type. */
  readonly cache?: CacheOptions
  readonly log?: LogOptions
  /** Adds `GET /_metrics` for Prometheus. Anybody can ask it: let the proxy keep it inside. Default false. */
  readonly metrics?: boolean
  readonly body?: Partial<BodyLimits>
  /** `false` turns off what plugins do to limit the rate of requests: for tests. Default true. */
  readonly rateLimit?: boolean
  /** How many processes serve the same database, this one included: what is counted in memory is then counted there. Default 1. */
  readonly processes?: number
  /** How many proxies stand before the server and set `X-Forwarded-For`. Default 0: the header is not believed. */
  readonly proxies?: number
  /** Time that requests in flight have to end when the server closes, in milliseconds. Default 10,000. */
  readonly grace?: number
}

export interface Server {
  readonly app: Koa
  readonly octavo: Octavo
  readonly registry: Registry
  /** @param port Default 1337; 0 takes a free one. @param host Default: every address. */
  listen(port?: number, host?: string): Promise<Listening>
  /** Adds a content-type while running; its endpoints answer at once. */
  addContentType(definition: ContentTypeDefinition): Promise<ContentType>
  /** Answers what is in flight, then closes the database. */
  close(): Promise<void>
}

/** Types of attributes that come with our own plugins: left out with a warning that names the plugin where it is absent. */
const knownTypes = { media: '@octavo/plugin-upload' }

/** What `createOctavo` is given for a server of these options; for programs that want the content without HTTP. */
export function octavoOptions({ api, ...options }: ServerOptions): OctavoOptions {
  const { prefix: _, bulk: __, ...rest } = api?.rest ?? {}
  return { ...options, rest, hooks: serverHooks, absentTypes: { ...knownTypes, ...options.absentTypes } }
}

/** @throws what `createOctavo` throws, and PluginError for routes that clash. Nothing is left open then. */
export async function createServer(options: ServerOptions = {}): Promise<Server> {
  const { bulk = false } = options.api?.rest ?? {}
  const prefix = readPrefix(options.api?.rest?.prefix ?? '/api')
  const octavo = await createOctavo(octavoOptions(options))
  try {
    const metrics = options.metrics ? await openMetrics(octavo) : undefined
    return new RunningServer(octavo, application(octavo, prefix, bulk, options, metrics), options)
  } catch (error) {
    await octavo.close()
    throw error
  }
}

/** @returns without a slash at the end; empty for the root */
function readPrefix(prefix: string): string {
  if (/^(?:\/[\w.~-]+)*\/?$/.test(prefix)) return prefix.replace(/\/$/, '')
  throw new ConfigurationError(`api.rest.prefix must be a path such as /api, not "${prefix}"`)
}

class RunningServer implements Server {
  readonly app: Koa
  readonly octavo: Octavo
  readonly #grace: number
  readonly #listening: Listening[] = []
  #closing: Promise<void> | undefined

  constructor(octavo: Octavo, app: Koa, options: ServerOptions) {
    this.octavo = octavo
    this.#grace = options.grace ?? 10_000
    this.app = app
  }

  get registry(): Registry {
    return this.octavo.registry
  }

  async listen(port = 1337, host?: string): Promise<Listening> {
    const listening = await listen(this.app, port, host)
    this.#listening.push(listening)
    return listening
  }

  addContentType(definition: ContentTypeDefinition): Promise<ContentType> {
    return this.octavo.addContentType(definition)
  }

  close(): Promise<void> {
    this.#closing ??= Promise.all(this.#listening.map(({ server }) => stop(server, this.#grace))).then(() =>
      this.octavo.close(),
    )
    return this.#closing
  }
}

function application(
  octavo: Octavo,
  prefix: string,
  bulk: boolean,
  options: ServerOptions,
  metrics: Metrics | undefined,
): Koa {
  const { logger, hooks } = octavo
  const app = new Koa({ proxy: (options.proxies ?? 0) > 0, maxIpsCount: options.proxies ?? 0 })
  // What no middleware caught: a socket that broke while the answer was on its way.
  app.on('error', (error: unknown) => logger.warn({ err: error }, 'An answer could not be sent'))
  // A mistake in one stops the start, rather than each request that meets it.
  for (const type of octavo.registry.contentTypes.values()) cacheControlOf(type)
  const bodies = bodiesOf({ ...defaultBodyLimits, ...options.body })

  const identify = async (context: Context): Promise<RequestState> => {
    const found = hooks.has('server:authenticate')
      ? await hooks.decide('server:authenticate', context)
      : undefined
    const brought = hooks.collect('server:state', context)
    const state: RequestState = Object.assign({ requestId: context.state.requestId }, ...brought, found)
    context.state.octavo = state
    return state
  }
  const admit = async (
    context: Context,
    name: string,
    type: ContentType | undefined,
  ): Promise<RequestState> => {
    const state = await identify(context)
    if (hooks.has('server:authorize')) await hooks.guard('server:authorize', { name, type }, state)
    return state
  }
  const guarded = (route: Route): readonly Middleware[] => [
    async (context, next) => {
      if (route.action === undefined) await identify(context)
      else await admit(context, route.action, undefined)
      if (route.body === 'fields') context.request.body = (await bodies.fields(context)) as never // koa-body's type is of JSON values only
      await next()
    },
  ]
  const routes = new PluginRoutes(
    {
      prefix,
      rateLimit: options.rateLimit ?? true,
      processes: options.processes ?? 1,
      receive: (context, limits) => bodies.withFiles(context, limits),
    },
    guarded,
    () => octavo.registry.contentTypes.values(),
  )
  hooks.each('server:routes', (register, plugin) => register(routes.of(plugin)))
  hooks.add('server', 'content-type:added', (type) => routes.addType(type))

  app.use(normalizePath())
  app.use(requestId())
  app.use(securityHeaders())
  app.use(compression())
  app.use(answers(logger, options.log, metrics?.observe))
  app.use(crossOrigin(options.cors ?? {}))
  app.use(refuseBadPath())
  app.use(health(octavo))
  if (metrics) app.use(metrics.route)
  if (octavo.store.hasReplicas) app.use(positions(octavo))
  app.use(
    content({
      octavo,
      prefix,
      bulk,
      bodies,
      cache: options.cache ?? {},
      admit,
      isTaken: (path, method) => routes.has(path, method),
    }),
  )
  app.use(routes.router.routes() as unknown as Middleware) // the router's own context type is Koa's with more in it
  app.use((context) => {
    const methods = routes.methodsOf(context.path)
    if (methods.length === 0) throw notFound()
    refuseMethod(
      context,
      methods.filter((method) => method !== 'HEAD'),
    )
  })
  return app
}
