import type { Compiled } from '@octavo/database'
import { silentLogger } from '@octavo/database'
import { compilePlan } from '../../src/compile/compile-plan.ts'
import type { Registry } from '../../src/content-type/model.ts'
import { definePlugin, type PluginHost } from '../../src/host/define.ts'
import { coreHooks } from '../../src/host/lifecycle-hooks.ts'
import { setupPlugins } from '../../src/host/setup.ts'
import { defaultLimits, type Limits } from '../../src/limits.ts'
import type { QueryPlan } from '../../src/plan/plan.ts'
import { Cursors } from '../../src/resolve/cursor.ts'
import { type ReadTarget, resolveQuery } from '../../src/resolve/resolve-query.ts'
import { parse } from './parsed.ts'
import { collection, registryOf } from './registry.ts'

export interface PlanOptions {
  /** Default `list`. */
  readonly kind?: ReadTarget['kind']
  readonly limits?: Partial<Limits>
  /** The setup of a plugin. */
  readonly setup?: (host: PluginHost) => void
}

export const testCursors = new Cursors('a secret of tests, known to everybody')

/** The plan of a query for the articles of a registry. @throws OctavoError */
export function planned(registry: Registry, query: string, options: PlanOptions = {}): QueryPlan {
  const { kind = 'list', limits, setup = () => {} } = options
  const own = { attributeTypes: new Map(), hooks: new Map(Object.entries(coreHooks)) }
  const { hooks, params, facts } = setupPlugins([definePlugin({ name: 'test', setup })], own, silentLogger)
  return resolveQuery(
    parse(query, { params, ...(limits && { limits }) }),
    { type: registry.contentType('api::article.article'), kind },
    {
      registry,
      hooks,
      params,
      rest: { defaultLimit: 25, maxLimit: 100, withCount: true, estimateCountAbove: undefined },
      limits: { ...defaultLimits, ...limits },
      cursors: testCursors,
    },
    { action: 'find', byId: kind === 'byId', fact: ({ name }) => facts.get(name)?.({}) ?? '' },
  )
}

/** Articles with every kind of relation storage. */
export const blog = {
  contentTypes: [
    collection('article', {
      title: { type: 'string' },
      views: { type: 'integer' },
      author: {
        type: 'relation',
        relation: 'manyToOne',
        target: 'api::author.author',
        inversedBy: 'articles',
      },
      tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
      others: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'first' },
      first: {
        type: 'relation',
        relation: 'manyToOne',
        target: 'api::article.article',
        inversedBy: 'others',
      },
      box: { type: 'component', component: 'parts.box' },
      zone: { type: 'dynamiczone', components: ['parts.box', 'parts.row'] },
    }),
    collection('author', {
      name: { type: 'string' },
      articles: {
        type: 'relation',
        relation: 'oneToMany',
        target: 'api::article.article',
        mappedBy: 'author',
      },
    }),
    collection('tag', { name: { type: 'string' } }),
  ],
  components: [
    {
      uid: 'parts.box',
      attributes: {
        name: { type: 'string' },
        rows: { type: 'component', component: 'parts.row', repeatable: true },
      },
    },
    { uid: 'parts.row', attributes: { name: { type: 'string' } } },
  ],
} as const

const registry = registryOf(blog.contentTypes, blog.components)

/** The list of cursors of articles by descending views. */
export const listOfViews = ((): string => {
  const plan = planned(registry, 'sort=views:desc&pagination[after]=')
  if (plan.kind !== 'list' || plan.paging.kind !== 'cursor') throw new Error('No page by cursor')
  return plan.paging.keyset.list
})()

/** The statement of a query for the articles of {@link blog}. */
export const compiled = (query: string, kind: ReadTarget['kind'] = 'list'): Compiled =>
  compilePlan(planned(registry, query, { kind }))
