/** The paths of a description, as OpenAPI writes those of routes. */
import type { Endpoint, JsonSchema } from '@octavo/server'

/** The operations of all routes, by path and method. */
export class PathTable {
  readonly paths: Record<string, Record<string, unknown>> = {}
  /** OpenAPI takes paths that differ in the names of their parameters for the same. */
  readonly #templates = new Map<string, string>()

  /**
   * Adds an endpoint at each of its paths, unless another one has it.
   * @param hasEntryIds Whether an `id` in its path is the id of an entry.
   */
  add(endpoint: Endpoint, hasEntryIds: boolean, operation: (endpoint: Endpoint) => JsonSchema): void {
    const method = endpoint.method.toLowerCase()
    for (const path of pathsOf(endpoint.path)) {
      const shape = path.replace(parameter, '{}')
      const template = this.#templates.get(shape) ?? templateOf(path)
      this.#templates.set(shape, template)
      const parameters = pathParameters(path, hasEntryIds)
      this.paths[template] ??= parameters.length > 0 ? { parameters } : {}
      this.paths[template][method] ??= operation({ ...endpoint, path })
    }
  }
}

/** The paths that a route answers, with its optional parts and without them: `/files{/:id}` → `/files/:id`, `/files`. */
export function pathsOf(path: string): readonly string[] {
  // The last group, which has none within it.
  const [, before, optional, after] = /^(.*)\{([^{}]*)\}(.*)$/.exec(path) ?? []
  if (before === undefined) return [path]
  return [
    ...new Set([
      ...pathsOf(`${before}${optional}${after}`),
      ...pathsOf(`${before}${after}`.replace(/(?<=.)\/$/, '')),
    ]),
  ]
}

/** A parameter of a path: `:id`, or `*rest`, which may have slashes. */
const parameter = /([:*])(\w+)/g

/** `/articles/:id` → `/articles/{id}`. */
export const templateOf = (path: string): string => path.replace(parameter, '{$2}')

/** The parameters of a path. @param hasEntryIds Whether an `id` is the id of an entry. */
const pathParameters = (path: string, hasEntryIds: boolean): readonly JsonSchema[] =>
  [...path.matchAll(parameter)].map(([, kind, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...(kind === '*' && { description: 'One or several segments, with the slashes between them.' }),
    schema: name === 'id' && hasEntryIds ? { type: 'integer', minimum: 1 } : { type: 'string' },
  }))
