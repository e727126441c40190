/** The order in which the routes of plugins are tried: of two that match a path, the more exact one answers. */
import type { Endpoint } from '../request/endpoints.ts'

/** For each segment: 0 for text, 1 for text with a parameter in it, 2 for a parameter, 3 for optional parts and wildcards. */
export const ranksOf = (path: string): readonly number[] => path.split('/').map(rankOf)

function rankOf(segment: string): number {
  if (/[{}*]/.test(segment)) return 3
  if (/^:\w+$/.test(segment)) return 2
  return segment.includes(':') ? 1 : 0
}

/** Negative when the first path is the more exact one: it has text where the other one has a parameter, from the left. */
export function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (const [i, rank] of a.entries()) {
    const other = b[i]
    if (other !== undefined && rank !== other) return rank - other
  }
  return a.length - b.length
}

type OwnedRoute = Pick<Endpoint, 'method' | 'path' | 'plugin'>

/** Each pair of routes of different plugins that match the same path, as a sentence. Paths with optional parts are left out. */
export function overlapsOf(routes: readonly OwnedRoute[]): readonly string[] {
  const shapes = Map.groupBy(
    routes.filter(({ path }) => !/[{}*]/.test(path)),
    ({ method, path }) => `${method} ${path.split('/').length}`,
  )
  return [...shapes.values()].flatMap((group) =>
    group.flatMap((route, i) =>
      group
        .slice(i + 1)
        .filter((other) => other.plugin !== route.plugin && matchSamePath(route.path, other.path))
        .map((other) => sentenceOf(route, other)),
    ),
  )
}

function matchSamePath(a: string, b: string): boolean {
  const others = b.toLowerCase().split('/')
  return a
    .toLowerCase()
    .split('/')
    .every(
      (segment, i) => segment === others[i] || segment.includes(':') || others[i]?.includes(':') === true,
    )
}

function sentenceOf(a: OwnedRoute, b: OwnedRoute): string {
  const [exact, other] = compareRanks(ranksOf(a.path), ranksOf(b.path)) <= 0 ? [a, b] : [b, a]
  return `${exact.method} ${exact.path} of the plugin "${exact.plugin}" answers requests that ${other.path} of the plugin "${other.plugin}" matches too, since it is the more exact path`
}

/** A sentence for each route of a plugin that has the prefix twice: its path was written with it. */
export function withPrefixTwice(
  routes: readonly (OwnedRoute & { readonly route: string; readonly root: boolean })[],
  prefix: string,
): readonly string[] {
  return routes
    .filter(({ route, root }) => prefix !== '' && !root && route.startsWith(`${prefix}/`))
    .map(
      ({ plugin, method, path, route }) =>
        `Plugin "${plugin}" in server:routes: the route ${method} ${path} has ${prefix} twice, since paths of routes are below it; write "${route.slice(prefix.length)}"`,
    )
}
