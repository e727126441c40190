import path from 'node:path'
import type { ContentTypeDefinition } from '@octavo/core'
import { inKebabCase } from '@octavo/core/internal'
import type { Environment } from '../code/environment.ts'
import { evaluateModule } from '../code/evaluate.ts'
import { hasAny, isPlainObject } from '../code/objects.ts'
import { excerpt, type SourceFile } from '../code/source-file.ts'
import { defaultExport, lastName } from '../code/syntax.ts'
import { Unreadable } from '../code/unreadable.ts'
import { about } from './find-code.ts'
import type { Finding } from './finding.ts'
import { foldersIn, modulesBelow } from './folder.ts'

/** Routes beyond the endpoints of a content-type: own paths, other handlers, `config`, `only` and `except`. */
export function findRoutes(
  root: string,
  contentTypes: readonly ContentTypeDefinition[],
  env: Environment,
): readonly Finding[] {
  return foldersIn(root, 'src/api').flatMap((api) => {
    const prefix = `api::${inKebabCase(path.posix.basename(api))}.`
    const types = contentTypes.filter(({ uid }) => uid?.startsWith(prefix))
    return modulesBelow(root, `${api}/routes`).flatMap((file) =>
      about(root, file, 'route', (source) => routes(source, types, env)),
    )
  })
}

function routes(
  source: SourceFile,
  types: readonly ContentTypeDefinition[],
  env: Environment,
): string | undefined {
  const exported = defaultExport(source.program)
  if (exported?.type === 'CallExpression' && lastName(exported.callee) === 'createCoreRouter') {
    const [, options] = exported.arguments
    if (!options || (options.type === 'ObjectExpression' && options.properties.length === 0)) return undefined
    return `the options of the router: ${excerpt(source, options)}`
  }
  const { value, unfollowed } = evaluateModule(source, env)
  const list = isPlainObject(value) ? value.routes : undefined
  if (!Array.isArray(list)) return exported ? 'routes made by code' : undefined
  const own = [
    ...list.filter((route: unknown) => !isDefault(route, types)).map(described),
    ...unfollowed.map(({ line, code }) => `routes made by code (line ${line}: ${code})`),
  ]
  return own.length === 0 ? undefined : own.join('; ')
}

const actions: Readonly<Record<string, string>> = {
  find: 'GET',
  findOne: 'GET',
  create: 'POST',
  update: 'PUT',
  delete: 'DELETE',
}

/** Whether a route is a default route of the content-type. */
function isDefault(route: unknown, types: readonly ContentTypeDefinition[]): boolean {
  if (!isPlainObject(route)) return false
  const { method, path: at, handler, config } = route
  if (typeof handler !== 'string' || typeof at !== 'string' || !isPlainConfig(config)) return false
  const [name, action = ''] = handler.replace(/^api::[\w-]+\./, '').split('.')
  const type = types.find(({ info }) => info.singularName === name)
  if (!type || actions[action] !== method) return false
  if (type.kind === 'singleType') return at === `/${type.info.singularName}`
  const isOfOne = action === 'findOne' || action === 'update' || action === 'delete'
  return isOfOne ? new RegExp(`^/${type.info.pluralName}/:\\w+$`).test(at) : at === `/${type.info.pluralName}`
}

/** Nothing, or only empty lists. */
const isPlainConfig = (config: unknown): boolean =>
  config === undefined ||
  (isPlainObject(config) &&
    Object.values(config).every((value) => Array.isArray(value) && value.length === 0))

function described(route: unknown): string {
  if (!isPlainObject(route)) return route instanceof Unreadable ? route.code : 'a route made by code'
  const handler = route.handler instanceof Unreadable ? route.handler.code : String(route.handler)
  const config = hasAny(route.config)
    ? Object.entries(route.config as object)
        .filter(([, value]) => !(Array.isArray(value) && value.length === 0))
        .map(([key, value]) => `${key}: ${shown(value)}`)
    : []
  return [`${String(route.method)} ${String(route.path)} → ${handler}`, ...config].join(', ')
}

function shown(value: unknown): string {
  if (value instanceof Unreadable) return value.code
  if (Array.isArray(value))
    return `[${value.map((item: unknown) => (isPlainObject(item) ? String(item.name ?? '…') : shown(item))).join(', ')}]`
  return isPlainObject(value) ? '{…}' : String(value)
}
