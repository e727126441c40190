import type { IncomingMessage } from 'node:http'
import type { Octavo, RequestState } from '@octavo/core'
import { checkOptions } from '@octavo/core/internal'
import { definePlugin, type Plugin } from '@octavo/core/plugin'
import { type ApiDescription, type Endpoint, isOperator, type Routes } from '@octavo/server'
import { addDefinitionRoutes, definitionActions, definitionOperations } from './content-type-builder.ts'
import { Descriptions } from './descriptions.ts'
import { defaultTitle, openApiDocument } from './document/document.ts'
import { type OpenApiOptions, optionKeys } from './options.ts'
import { addPage } from './page/page.ts'
import { problem } from './problems.ts'
import { anyObject } from './schemas/shared.ts'

/**
 * Describes the API as OpenAPI 3.1 at `GET /openapi.json`, and shows it at `/docs`.
 *
 *     openapi({ info: { title: 'Library', version: '2.1.0' } })
 */
export const openapi = (options: OpenApiOptions = {}): Plugin =>
  definePlugin({
    name: 'openapi',
    setup(host) {
      checkOptions(options, optionKeys, 'openapi')
      const octavo = host.start((running) => {
        optionsOf.set(running, options)
        return running
      })
      const descriptions = new Descriptions(octavo, options)
      host.hook('content-type:added', () => descriptions.clear())
      host.hook('server:describe', () => ownDescription)
      host.actions(definitionActions)
      host.hook('server:routes', (routes) => {
        addDefinitionRoutes(routes, () => octavo().registry)
        addDescriptionRoute(routes, descriptions, options)
        const isDevelopment = process.env.NODE_ENV !== 'production'
        const { page } = options
        if (!(page ?? isDevelopment)) return
        const isAudience = (request: IncomingMessage): boolean => page === true || isOperator(request)
        addPage(routes, {
          title: options.info?.title ?? defaultTitle,
          description: isDevelopment ? '/docs/openapi.json' : `${routes.prefix}/openapi.json`,
          isAudience,
          origins: (options.servers ?? [])
            .filter((address) => URL.canParse(address))
            .map((address) => new URL(address).origin),
        })
        if (isDevelopment) addPageDescription(routes, descriptions, isAudience)
      })
    },
  })

const ownDescription: ApiDescription = {
  tags: { Description: 'Descriptions of this API and of its content-types.' },
  operations: {
    ...definitionOperations('Description'),
    'GET /openapi.json': {
      id: 'openapi',
      tag: 'Description',
      summary: 'This description, as OpenAPI 3.1',
      responses: { 200: { description: 'The description.', schema: anyObject } },
    },
  },
}

/** `GET /openapi.json`: the operations that the caller may use, or all with `access: 'all'`. */
function addDescriptionRoute(routes: Routes, descriptions: Descriptions, { access }: OpenApiOptions): void {
  routes.add({
    method: 'GET',
    path: '/openapi.json',
    handler: async (context) => {
      // Set by the server before the handler runs.
      const state = context.state.octavo as RequestState
      context.set('Cache-Control', 'private, no-cache')
      context.vary('Authorization, Cookie')
      context.type = 'application/json'
      context.body = access === 'all' ? descriptions.all(routes) : await descriptions.of(routes, state)
    },
  })
}

/** `GET /docs/openapi.json`, for the page in development: all operations for requests from this machine. */
function addPageDescription(
  routes: Routes,
  descriptions: Descriptions,
  isAudience: (request: IncomingMessage) => boolean,
): void {
  routes.add({
    method: 'GET',
    path: '/docs/openapi.json',
    root: true,
    handler: async (context) => {
      if (!isAudience(context.req)) throw problem('openapi/local-only')
      // Set by the server before the handler runs.
      const state = context.state.octavo as RequestState
      context.set('Cache-Control', 'private, no-store')
      context.type = 'application/json'
      context.body = isOperator(context.req) ? descriptions.all(routes) : await descriptions.of(routes, state)
    },
  })
}

/** The options of the plugin, by the octavo that it runs in. */
const optionsOf = new WeakMap<Octavo, OpenApiOptions>()

/** The OpenAPI description of all endpoints of a server, with the head that the plugin's options give, if it is there. */
export const describeServer = (server: {
  readonly octavo: Octavo
  endpoints(): readonly Endpoint[]
}): object =>
  openApiDocument(server.octavo, { ...optionsOf.get(server.octavo), endpoints: server.endpoints() })
