import type { Octavo, RequestState } from '@octavo/core'
import { admitOperator, type RouteContext, type Routes } from '@octavo/server'
import { isAudience } from './audience.ts'
import type { PagesOptions } from './options.ts'
import { modelPicture } from './pages/model-picture.ts'
import { overviewOf } from './pages/overview.ts'
import { overviewPage } from './pages/overview-page.ts'
import { refusedPage } from './pages/refused.ts'
import { addModule, addStyle, ownStyle, sendPage, sharedStyle } from './pages/send.ts'
import { problem } from './problems.ts'
import { queryModelOf } from './query/query-model.ts'
import { queryPage } from './query/query-page.ts'

/** The modules of the pages: the entries and what they import. */
export const modules = [
  'overview',
  'query',
  'dom',
  'state',
  'request',
  'controls',
  'filter-controls',
  'path-controls',
  'populate-controls',
  'answer',
  'condition-words',
  'plan',
] as const

export interface PageParts {
  readonly octavo: () => Octavo
  readonly options: Required<PagesOptions>
  /** The version of Octavo. */
  readonly version: string
  /** The state that may read all locales. */
  readonly unrestricted: RequestState
}

/** The pages `/` and `/docs/query` in development; a short JSON at `/` in production. */
export function addPages(routes: Routes, { octavo, options, version, unrestricted }: PageParts): void {
  const page = (path: string, handler: (context: RouteContext) => void | Promise<void>): void =>
    routes.add({ method: 'GET', path, root: true, handler })

  if (!options.development) {
    page('/', (context) => {
      context.body = { name: 'Octavo', api: routes.prefix || '/', health: '/_health' }
    })
    return
  }
  const hasDocs = (): boolean => routes.endpoints().some(({ path }) => path === '/docs')
  page('/', async (context) => {
    if (admitOperator(context)) return
    if (!isAudience(context, options)) return sendPage(context, refusedPage, 403)
    // Set by the server before the handler runs.
    const state = context.state.octavo as RequestState
    const overview = await overviewOf(octavo(), routes, state, version)
    const picture = await modelPicture(overview.types, overview.relations)
    sendPage(context, overviewPage(overview, picture, originOf(context)))
  })
  page('/docs/query', (context) => {
    if (admitOperator(context)) return
    if (isAudience(context, options)) sendPage(context, queryPage(hasDocs()))
    else sendPage(context, refusedPage, 403)
  })
  page('/docs/query/model.json', async (context) => {
    if (!isAudience(context, options))
      throw problem('pages/explain-forbidden', { hint: 'the page is for requests from this machine' })
    context.set('Cache-Control', 'private, no-store')
    context.body = await queryModelOf(octavo(), routes.prefix, unrestricted)
  })
  addStyle(routes, '/docs/pages/tokens.css', sharedStyle)
  addStyle(routes, '/docs/pages/style.css', ownStyle)
  for (const name of modules) addModule(routes, `/docs/pages/${name}.js`, name)
}

/** The origin of the server. Koa's `origin` is the header of that name if a browser sends one. */
const originOf = ({ protocol, host }: RouteContext): string => `${protocol}://${host}`

/** The pages are for people, and not part of the API. */
export const pageOperations = Object.fromEntries(
  [
    '/',
    '/docs/query',
    '/docs/query/model.json',
    '/docs/pages/tokens.css',
    '/docs/pages/style.css',
    ...modules.map((name) => `/docs/pages/${name}.js`),
  ].map((path) => [`GET ${path}`, false] as const),
)
