import { type Octavo, OctavoError, type RequestState, sql } from '@octavo/core'
import type { ContentType, Model, Registry } from '@octavo/core/plugin'
import type { Endpoint, Routes } from '@octavo/server'

/** The contents of the page `/`. */
export interface Overview {
  readonly types: readonly OverviewType[]
  readonly relations: readonly OverviewRelation[]
  readonly versions: readonly (readonly [name: string, version: string])[]
  readonly isDatabaseUp: boolean
  readonly hasDocs: boolean
  readonly hasDesk: boolean
  readonly hasMetrics: boolean
  /** The path of the OpenAPI description. */
  readonly description: string | undefined
  readonly prefix: string
}

export interface OverviewType {
  readonly uid: string
  readonly name: string
  readonly path: string
  readonly isSingle: boolean
  /** Entries, drafts and all locales included; `undefined` when they could not be counted. */
  readonly entries: number | undefined
  /** The actions of the content endpoints, and whether this caller may use them. */
  readonly rights: readonly (readonly [action: string, isPermitted: boolean])[]
}

/** A relation of a content-type, also one inside of its components; of a two-way relation, one of both sides. */
export interface OverviewRelation {
  /** Uid of the content-type that has it. */
  readonly from: string
  readonly to: string
  /** `author`, or `seo.author` in a component. */
  readonly name: string
  readonly isMany: boolean
}

/** @param state The state of the request; for a browser the state of the role `public`. */
export async function overviewOf(
  octavo: Octavo,
  routes: Routes,
  state: RequestState,
  version: string,
): Promise<Overview> {
  const endpoints = routes.endpoints()
  const has = (path: string): boolean => endpoints.some((endpoint) => endpoint.path === path)
  const description = [`${routes.prefix}/openapi.json`].find(has)
  const database = await databaseVersion(octavo)
  const own = [...octavo.registry.contentTypes.values()].filter(({ uid }) => uid.startsWith('api::'))
  const types: OverviewType[] = []
  for (const type of own)
    types.push({
      uid: type.uid,
      name: type.displayName,
      path: pathOf(type, routes.prefix),
      isSingle: type.kind === 'singleType',
      entries: database === undefined ? undefined : await countOf(octavo, type),
      rights: await rightsOf(type, endpoints, routes, state),
    })
  return {
    types: types.toSorted((one, other) => one.name.localeCompare(other.name)),
    relations: own.flatMap((type) => relationsOf(type, octavo.registry)),
    versions: [
      ['Octavo', version],
      ['Node', process.versions.node],
      [
        'PostgreSQL',
        `${database ?? 'does not answer'}${octavo.store.engine === 'pglite' ? ' (embedded)' : ''}`,
      ],
    ],
    isDatabaseUp: database !== undefined,
    hasDocs: has('/docs'),
    hasDesk: has('/desk'),
    hasMetrics: has('/_metrics'),
    description,
    prefix: routes.prefix,
  }
}

function relationsOf(type: ContentType, { components }: Registry): readonly OverviewRelation[] {
  const found: OverviewRelation[] = []
  const visit = (model: Model, path: readonly string[], seen: readonly Model[]): void => {
    if (seen.includes(model)) return
    for (const attribute of model.attributes.values()) {
      const names = [...path, attribute.name]
      if (attribute.kind === 'relation') {
        if (attribute.storage.kind === 'siblings') continue
        if (attribute.inverse === undefined || 'inversedBy' in attribute.definition)
          found.push({ from: type.uid, to: attribute.target, name: names.join('.'), isMany: attribute.many })
        continue
      }
      const parts =
        attribute.kind === 'component'
          ? [attribute.component]
          : attribute.kind === 'zone'
            ? attribute.components
            : []
      for (const uid of parts) {
        const part = components.get(uid)
        if (part) visit(part, names, [...seen, model])
      }
    }
  }
  visit(type, [], [])
  return found
}

export const pathOf = (type: ContentType, prefix: string): string =>
  `${prefix}/${type.kind === 'singleType' ? type.singularName : type.pluralName}`

async function databaseVersion({ store }: Octavo): Promise<string | undefined> {
  try {
    const [row] = await store.run(sql`select current_setting('server_version') as "version"`)
    return row?.version?.split(' ', 1)[0]
  } catch (error) {
    if (error instanceof OctavoError) return undefined
    throw error
  }
}

/** A table may be locked, or too large to count within the time of a statement. */
async function countOf({ store }: Octavo, type: ContentType): Promise<number | undefined> {
  try {
    return await store.rows(type).count()
  } catch (error) {
    if (error instanceof OctavoError) return undefined
    throw error
  }
}

async function rightsOf(
  type: ContentType,
  endpoints: readonly Endpoint[],
  routes: Routes,
  state: RequestState,
): Promise<OverviewType['rights']> {
  const rights: [string, boolean][] = []
  for (const endpoint of endpoints) {
    const { content } = endpoint
    if (content?.type !== type || content.action === 'bulk') continue
    rights.push([content.action, await routes.permits(endpoint, state)])
  }
  return rights
}
