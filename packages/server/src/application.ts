import cluster from 'node:cluster'
import type { Octavo } from '@octavo/core'
import type { ContentType } from '@octavo/core/plugin'
import Koa, { type Context, type Middleware } from 'koa'
import { answers, unsentLog } from './answer/answers.ts'
import { cacheControlOf } from './answer/caching.ts'
import { compression, crossOrigin, requestId, securityHeaders } from './answer/middleware.ts'
import { positions } from './answer/positions.ts'
import { readsOf } from './answer/read-answer.ts'
import { bulkLimits } from './content/bulk.ts'
import { content } from './content/content.ts'
import { notFound, refuseMethod } from './error/errors.ts'
import { warnOfAbsentDrafts } from './operation/absent-drafts.ts'
import { health, type Lifecycle } from './operation/health.ts'
import { type Metrics, openMetrics } from './operation/metrics.ts'
import { Refusals } from './operation/refusals.ts'
import { addContextOctavo } from './plugin/context-octavo.ts'
import { awaited, PluginMiddleware } from './plugin/plugin-middleware.ts'
import { PluginRoutes } from './plugin/plugin-routes.ts'
import type { Route } from './plugin/routes.ts'
import { chargeSender, gate } from './request/access.ts'
import { bodies as bodiesOf } from './request/body.ts'
import { defaultBodyLimits } from './request/body-limits.ts'
import { contentEndpoints, type Endpoint, ownEndpoints } from './request/endpoints.ts'
import { normalizePath, refuseBadPath } from './request/path.ts'
import type { ServerOptions } from './server-options.ts'
import { Door } from './socket/door.ts'
import { defaultResponseLimits, UnsentAnswers } from './socket/unsent.ts'

export interface Application {
  readonly app: Koa
  readonly refusals: Refusals
  readonly door: Door
  readonly endpoints: () => readonly Endpoint[]
}

/**
 * The Koa application of a server: middleware in the order in which a request passes it.
 * @throws PluginError for conflicting routes of plugins; ConfigurationError for a content-type whose endpoints belong to a
 *   plugin, and for an invalid `cacheControl`
 */
export async function application(
  octavo: Octavo,
  prefix: string,
  options: ServerOptions,
  lifecycle: Lifecycle,
  tracing: Middleware | undefined,
): Promise<Application> {
  const { logger } = octavo
  const refusals = new Refusals(logger)
  const { busyRound = Number.POSITIVE_INFINITY, proxies = 0 } = options
  const door = new Door({ prefix, busyRound, proxies })
  const app = new Koa({ proxy: proxies > 0, maxIpsCount: proxies })
  // Errors outside of all middleware.
  app.on('error', unsentLog(logger))
  // An invalid value stops the start, instead of failing each request for the type.
  for (const type of octavo.registry.contentTypes.values()) cacheControlOf(type)
  const unsent = new UnsentAnswers({ ...defaultResponseLimits, ...options.response })
  const metrics: Metrics | undefined = options.metrics ? await openMetrics(octavo, unsent) : undefined
  const access = options.access ?? 'read'
  const rights = gate(octavo, access)
  if (!octavo.hooks.has('server:authorize')) logger.warn({ access }, openTo[access])

  const chain = new PluginMiddleware(logger)
  octavo.hooks.register('server:middleware', (plugin) => chain.of(plugin))
  addContextOctavo(app, { octavo, cache: options.cache ?? {}, unsent }, rights.authorize)
  const { routes, endpointsOfContent } = answering({
    octavo,
    prefix,
    options,
    rights,
    unsent,
    around: chain.around,
    hasMetrics: metrics !== undefined,
  })
  octavo.hooks.register('server:routes', (plugin) => routes.of(plugin))
  if (cluster.isPrimary) {
    logPlugins(octavo, routes)
    warnOfAbsentDrafts(octavo)
  }
  followTypes(octavo, routes, bulkOf(options) !== undefined)

  app.use(normalizePath())
  app.use(requestId())
  if (tracing) app.use(tracing)
  app.use(securityHeaders())
  app.use(compression())
  app.use(answers({ logger, refusals, door, log: options.log, unsent, observe: metrics?.observe }))
  app.use(crossOrigin(options.cors ?? {}))
  app.use(refuseBadPath())
  app.use(health(octavo, lifecycle))
  if (metrics) app.use(metrics.route)
  app.use(chargeSender)
  const own = (options.middleware ?? []).map((one) => awaited(one, 'of the program', logger))
  for (const middleware of [...own, ...chain.request]) app.use(middleware)
  if (octavo.store.hasReplicas) app.use(positions(octavo))
  app.use(endpointsOfContent)
  app.use(routes.middleware)
  app.use(refusal(routes))
  return { app, refusals, door, endpoints: () => routes.endpoints() }
}

/** The warning at the start of a server without a plugin that decides about rights. */
const openTo = {
  open: 'No plugin decides who may do what: everybody may read and write',
  read: 'No plugin decides who may do what: everybody may read, and writes are refused',
} as const

const bulkOf = ({ api }: ServerOptions) => bulkLimits(api?.rest?.bulk)

interface AnsweringParts {
  readonly octavo: Octavo
  readonly prefix: string
  readonly options: ServerOptions
  readonly rights: ReturnType<typeof gate>
  readonly unsent: UnsentAnswers
  /** The middleware of plugins around the handlers of actions; `undefined` without any. */
  readonly around: PluginMiddleware['around']
  readonly hasMetrics: boolean
}

/** The routes of plugins, without any yet, and the endpoints of content-types, which leave taken paths to them. */
function answering({ octavo, prefix, options, rights, unsent, around, hasMetrics }: AnsweringParts) {
  const { identify, admit, permits } = rights
  const bodies = bodiesOf({ ...defaultBodyLimits, ...options.body })
  const bulk = bulkOf(options)
  const guarded =
    (route: Route): Middleware =>
    async (context, next) => {
      if (route.action === undefined) await identify(context)
      else await admit(context, route.action, undefined)
      if (route.body === 'fields') context.request.body = (await bodies.value(context)) as never // koa-body's type is of JSON values only
      if (around) await around(context, { name: route.action ?? '', type: undefined }, next)
      else await next()
    }
  const routes = new PluginRoutes(
    {
      prefix,
      rateLimit: options.rateLimit ?? true,
      processes: options.processes ?? 1,
      receive: (context, limits) => bodies.withFiles(context, limits),
      permits,
      readOf: (context) => readsOf(context, { octavo, unsent }),
      forward: (context, path) => forwarded(context, `${prefix}${path}`, endpointsOfContent, routes),
    },
    guarded,
    () => octavo.registry.contentTypes.values(),
    (action) => octavo.actions.has(action),
    () => [...contentEndpoints(octavo.registry, prefix, bulk !== undefined), ...ownEndpoints(hasMetrics)],
    around,
  )
  const endpointsOfContent = content({
    octavo,
    prefix,
    bulk,
    bodies,
    cache: options.cache ?? {},
    around,
    admit,
    isTaken: (path, method) => routes.has(path, method),
    unsent,
  })
  return { routes, endpointsOfContent }
}

/** Checks the endpoints of content-types against the routes of plugins, also of those that are added later. */
function followTypes(octavo: Octavo, routes: PluginRoutes, hasBulk: boolean): void {
  const check = (type: ContentType): void => routes.checkContent(type, hasBulk)
  for (const type of octavo.registry.contentTypes.values()) check(type)
  octavo.hooks.add('server', 'content-type:adding', check)
  octavo.hooks.add('server', 'content-type:added', (type) => {
    routes.addType(type)
    check(type)
  })
}

/** Refuses a request that nothing answered: 404, or 405 where the path has other methods. */
const refusal =
  (routes: PluginRoutes): Middleware =>
  (context) => {
    const methods = routes.methodsOf(context.path)
    if (methods.length === 0) throw notFound()
    refuseMethod(
      context,
      methods.filter((method) => method !== 'HEAD'),
    )
  }

/** Answers a request as the endpoint of another path does. @throws OctavoError */
async function forwarded(
  context: Context,
  path: string,
  contentOf: Middleware,
  { middleware }: Pick<PluginRoutes, 'middleware'>,
): Promise<void> {
  const before = context.path
  context.path = path
  try {
    await contentOf(context, () =>
      middleware(context, async () => {
        throw notFound()
      }),
    )
  } finally {
    context.path = before
  }
}

/** Logs once per start, not in each worker, with what plugins do beside the rights of callers and each other. */
function logPlugins({ unrestricted, logger }: Octavo, routes: PluginRoutes): void {
  if (unrestricted.length > 0) logger.info({ unrestricted }, 'Plugins with unrestricted access')
  for (const overlap of routes.overlaps()) logger.info({}, overlap)
  for (const doubled of routes.withPrefixTwice()) logger.warn({}, doubled)
}
