import { createRequire } from 'node:module'
import type { Layer, RouterMiddleware } from '@koa/router'
import { ConfigurationError, PluginError, type RequestState } from '@octavo/core'
import type { ContentType } from '@octavo/core/plugin'
import type { Middleware } from 'koa'
import { notFound } from '../error/errors.ts'
import { contentRoutes, type Endpoint, type Method } from '../request/endpoints.ts'
import { repeatableOf } from '../request/idempotency.ts'
import type { Action } from './action.ts'
import { answered } from './answered.ts'
import { checkRoute } from './check-route.ts'
import { type InnerAnswer, type InnerRequest, innerContext, receivedOf } from './inner-request.ts'
import type { Around } from './plugin-middleware.ts'
import type { RouteContext } from './route-context.ts'
import { compareRanks, overlapsOf, ranksOf, withPrefixTwice } from './route-order.ts'
import { isExact, isOpen, keyOf, shapeOf } from './route-paths.ts'
import type { Route, RouteHandler, Routes, SharedRoutes } from './routes.ts'

/**
 * As CommonJS. Its other form imports `node:http`, and an import reads every export at once: the one of `WebSocket` loads
 * undici, some 40 ms of a start.
 */
const { Router } = createRequire(import.meta.url)('@koa/router') as typeof import('@koa/router')

/**
 * The routes of all plugins. They take precedence over content endpoints; of two that match a path, the more exact one answers,
 * in whichever order they were registered.
 */
export class PluginRoutes {
  readonly router = new Router()
  readonly #owners = new Map<string, { readonly plugin: string; readonly replaces: boolean }>()
  readonly #actions = new Set<string>()
  /** The shapes of the paths below the prefix. */
  readonly #shapes = new Set<string>()
  /** Whether a path begins with a parameter, or has optional parts or a wildcard: such a path may have any shape. */
  #hasOpenShape = false
  readonly #isDeclared: (action: string) => boolean
  readonly #wrap: (route: Route) => Middleware
  readonly #options: SharedRoutes
  readonly #around: Around | undefined
  readonly #types: () => Iterable<ContentType>
  /** The endpoints that are no plugin's. */
  readonly #others: () => readonly Endpoint[]
  readonly #endpoints: Endpoint[] = []
  readonly #forEachType: ((type: ContentType) => void)[] = []
  /** The handlers by key of their route: those of a content-type are replaced with its definition. */
  readonly #handlers = new Map<string, RouteHandler>()
  #isAddingType = false
  readonly #ranks = new Map<string, readonly number[]>()
  /** The routes whose paths have no parameters, by `POST /graphql`. Each is the most exact one for its path. */
  readonly #byPath = new Map<string, Layer>()

  /** Answers the requests for routes of plugins. */
  readonly middleware: Middleware = (context, next) => {
    const { path } = context
    const layer = this.#layerOf(context.method, path)
    if (!layer) return next()
    context.router = this.router
    context.routerPath = layer.path
    context._matchedRoute = layer.path
    context.captures = layer.captures(path)
    context.params = layer.params(path, context.captures, context.params)
    Object.assign(context.request, { params: context.params })
    return answerOf(layer)(context as never, next) // the router's own context type is Koa's with more in it
  }

  constructor(
    options: SharedRoutes,
    wrap: (route: Route) => Middleware,
    types: () => Iterable<ContentType>,
    isDeclared: (action: string) => boolean,
    others: () => readonly Endpoint[],
    around?: Around,
  ) {
    this.#around = around
    this.#options = options
    this.#wrap = wrap
    this.#types = types
    this.#isDeclared = isDeclared
    this.#others = others
  }

  /** The registration interface for the plugin of this name. */
  of(plugin: string): Routes {
    return {
      ...this.#options,
      receive: (context, limits) => {
        const received = receivedOf(context)
        return received ? Promise.resolve(received) : this.#options.receive(context, limits)
      },
      add: (route) => this.#add(plugin, route),
      forEachType: (register) => {
        this.#forEachType.push(register)
        for (const type of this.#types()) register(type)
      },
      repeatable: (context, content) => repeatableOf(context, context.state.octavo, () => content),
      actions: () => [...this.#actions],
      endpoints: () => this.endpoints(),
      perform: (context, request) => this.#perform(context, request),
      around: (context, requestOf, action, run) =>
        this.#around ? this.#runAround(this.#around, context, requestOf(), action, run) : run(),
    }
  }

  async #runAround<T>(
    around: Around,
    context: RouteContext,
    { state, ...request }: InnerRequest & { readonly state: RequestState },
    action: Action,
    run: () => Promise<T>,
  ): Promise<T | undefined> {
    const inner = innerContext(context, request, `${this.#options.prefix}${request.path}`, {})
    inner.state.octavo = state
    let result: T | undefined
    await around(inner, action, async () => {
      result = await run()
    })
    return result
  }

  async #perform(context: RouteContext, request: InnerRequest): Promise<InnerAnswer> {
    const path = `${this.#options.prefix}${request.path}`
    const layer = this.#layerOf(request.method, path)
    if (!layer) throw notFound()
    const inner = innerContext(context, request, path, layer.params(path, layer.captures(path)))
    await answerOf(layer)(inner as never, async () => {}) // with a context type of its own
    return { status: inner.status, body: inner.body }
  }

  /** All endpoints: those of content-types, then plugins', then the server's own. A plugin's route replaces one of a content-type. */
  endpoints(): readonly Endpoint[] {
    const others = this.#others().filter(({ method, path }) => !this.#owners.has(keyOf(method, path)))
    const isContent = ({ content }: Endpoint): boolean => content !== undefined
    return [
      ...others.filter(isContent),
      ...this.#endpoints,
      ...others.filter((endpoint) => !isContent(endpoint)),
    ]
  }

  /**
   * @throws ConfigurationError for a content-type with an endpoint that a plugin's route answers: requests for its entries
   *   would reach the plugin.
   */
  checkContent(type: ContentType, hasBulk: boolean): void {
    const taken = contentRoutes(type, hasBulk).flatMap(({ method, route }) => {
      const path = `${this.#options.prefix}${route}`
      const plugin = this.#takerOf(method, path.replace(':id', '1'))
      return plugin === undefined ? [] : [{ plugin, route: `${method} ${path}` }]
    })
    if (taken.length === 0) return
    const plugins = [...new Set(taken.map(({ plugin }) => `"${plugin}"`))].join(', ')
    const { kind, singularName, pluralName } = type
    const [key, name] =
      kind === 'singleType' ? ['info.singularName', singularName] : ['info.pluralName', pluralName]
    throw new ConfigurationError(
      `The content-type ${type.uid} has endpoints that belong to routes of plugins (${plugins}): ${taken.map(({ route }) => route).join(', ')}. Give it another ${key} than "${name}", or give a route of your own another path, or replaces: true to answer in its place`,
    )
  }

  /** The plugin whose route answers a path, unless the route is meant to replace endpoints of content-types. */
  #takerOf(method: Method, path: string): string | undefined {
    for (const layer of this.router.match(path, method).pathAndMethod) {
      const owner = this.#owners.get(keyOf(method, String(layer.path)))
      if (owner && !owner.replaces) return owner.plugin
    }
    return undefined
  }

  /** Registers the plugins' routes for a content-type that was added while running, or has another definition since. */
  addType(type: ContentType): void {
    this.#isAddingType = true
    try {
      for (const register of this.#forEachType) register(type)
    } finally {
      this.#isAddingType = false
    }
  }

  #add(plugin: string, route: Route): void {
    const path = route.root ? route.path : `${this.#options.prefix}${route.path}`
    checkRoute(plugin, route, path)
    const key = keyOf(route.method, path)
    const owner = this.#owners.get(key)
    const isRegistered = owner?.plugin === plugin && this.#isAddingType
    if (owner !== undefined && !isRegistered) {
      throw new PluginError(
        plugin,
        'server:routes',
        `the route ${route.method} ${path} already belongs to the plugin "${owner.plugin}"`,
      )
    }
    this.#handlers.set(key, route.handler)
    if (isRegistered) return
    this.#owners.set(key, { plugin, replaces: route.replaces ?? false })
    this.#endpoints.push({
      method: route.method,
      path,
      route: route.path,
      root: route.root ?? false,
      actions: route.action === undefined ? [] : [route.action],
      plugin,
    })
    if (isOpen(path, this.#options.prefix)) this.#hasOpenShape = true
    else this.#shapes.add(shapeOf(path, this.#options.prefix))
    if (route.action !== undefined) {
      if (!this.#isDeclared(route.action))
        throw new PluginError(
          plugin,
          'server:routes',
          `the route ${route.method} ${path} needs the action "${route.action}", which no plugin declares; declare it in setup: host.actions(() => [{ name: '${route.action}' }])`,
        )
      this.#actions.add(route.action)
    }
    const wrapped = this.#wrap(route)
    const origin = { plugin, route: `${route.method} ${path}` }
    const answer: Middleware = (context) =>
      wrapped(context, () => answered(context as RouteContext, origin, this.#handlers.get(key))) // its params are set
    this.router.register(path, [route.method], answer as RouterMiddleware)
    const layer = this.#moveLast()
    if (isExact(path)) this.#byPath.set(`${route.method} ${path}`, layer)
  }

  /**
   * The most exact route for a path. A route without parameters is looked up: the router would try the patterns of all routes, which takes longer than
   * some handlers.
   */
  #layerOf(method: string, path: string): Layer | undefined {
    const known = this.#byPath.get(`${method === 'HEAD' ? 'GET' : method} ${path}`)
    return known ?? this.router.match(path, method).pathAndMethod[0]
  }

  /** Moves the layer that was registered last before the first one with a less exact path, and returns it. */
  #moveLast(): Layer {
    const { stack } = this.router
    const layer = stack.pop()
    if (!layer) throw new Error('No route was registered')
    const ranks = this.#ranksOf(String(layer.path))
    const next = stack.findIndex((other) => compareRanks(ranks, this.#ranksOf(String(other.path))) < 0)
    stack.splice(next === -1 ? stack.length : next, 0, layer)
    return layer
  }

  #ranksOf(path: string): readonly number[] {
    const known = this.#ranks.get(path) ?? ranksOf(path)
    this.#ranks.set(path, known)
    return known
  }

  /** Sentences about routes of different plugins that match the same path. */
  overlaps(): readonly string[] {
    return overlapsOf(this.#endpoints)
  }

  /** Sentences about routes whose path begins with the prefix, which they have already. */
  withPrefixTwice(): readonly string[] {
    return withPrefixTwice(this.#endpoints, this.#options.prefix)
  }

  /**
   * Whether a plugin has a route for a path and method that could be a content endpoint. Fast for paths of a shape that no
   * plugin's route has, which are nearly all.
   */
  has(path: string, method: string): boolean {
    const mayMatch = this.#hasOpenShape || this.#shapes.has(shapeOf(path, this.#options.prefix))
    return mayMatch && this.methodsOf(path).includes(method)
  }

  /** The methods that the plugins' routes have for a path; empty without a route. */
  methodsOf(path: string): readonly string[] {
    return [...new Set(this.router.match(path, 'GET').path.flatMap((layer) => layer.methods))]
  }
}

/** The function with which a route was registered. */
function answerOf({ stack: [answer] }: Layer): RouterMiddleware {
  if (!answer) throw new Error('A route without a function')
  return answer
}
