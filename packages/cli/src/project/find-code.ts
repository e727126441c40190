import type { Node } from 'oxc-parser'
import { findModule, parseSource, type SourceFile } from '../code/source-file.ts'
import {
  defaultExport,
  dotted,
  exportedNames,
  isFunction,
  lastName,
  propertiesOf,
  returned,
  unwrap,
  walk,
} from '../code/syntax.ts'
import { codeHints } from './code-hints.ts'
import { findModules } from './find-modules.ts'
import type { Finding, FindingKind } from './finding.ts'
import { foldersIn, moduleName, modulesBelow } from './folder.ts'

/** Controllers, services, policies, middlewares, lifecycles and start-up code beyond the generated defaults. */
export function findCode(root: string): readonly Finding[] {
  const apis = foldersIn(root, 'src/api')
  const inApis = (folder: string, look: (source: SourceFile) => string | undefined, kind: FindingKind) =>
    apis
      .flatMap((api) => modulesBelow(root, `${api}/${folder}`))
      .flatMap((file) => about(root, file, kind, look))
  const named = (kind: 'policy' | 'middleware', folders: readonly string[]): readonly Finding[] =>
    folders
      .flatMap((folder) => modulesBelow(root, folder))
      .flatMap((file) => about(root, file, kind, (source) => nameOfModule(kind, file, source)))
  const indexes = ['src', ...apis].map((folder) => findModule(root, `${folder}/index`))
  return [
    ...inApis('controllers', (source) => factoryCode(source, 'createCoreController', 'action'), 'controller'),
    ...inApis('services', (source) => factoryCode(source, 'createCoreService', 'method'), 'service'),
    ...named('policy', [...apis.map((api) => `${api}/policies`), 'src/policies']),
    ...named('middleware', [...apis.map((api) => `${api}/middlewares`), 'src/middlewares']),
    ...apis
      .flatMap((api) => modulesBelow(root, `${api}/content-types`))
      .filter((file) => moduleName(file) === 'lifecycles')
      .flatMap((file) => about(root, file, 'lifecycle', lifecycles)),
    ...indexes.flatMap((file) => (file === undefined ? [] : about(root, file, 'start', startCode))),
    ...findModules(root),
  ]
}

/** Whether a module only passes other modules of its folder on, or exports nothing: it has neither code nor a route. */
function isOnlyIndex({ program }: SourceFile): boolean {
  let hasMore = false
  walk(program, (node) => {
    const isRoute =
      node.type === 'Property' && node.key.type === 'Identifier' && /^(method|handler)$/.test(node.key.name)
    if (isRoute || isFunction(node) || node.type === 'ClassDeclaration') hasMore = true
    if (node.type === 'CallExpression' && !isRequireOfSibling(node)) hasMore = true
  })
  return !hasMore
}

const isRequireOfSibling = ({
  callee,
  arguments: [given],
}: Extract<Node, { type: 'CallExpression' }>): boolean =>
  dotted(callee) === 'require' &&
  given?.type === 'Literal' &&
  typeof given.value === 'string' &&
  given.value.startsWith('.')

/** A finding with the message that `look` returns for the file; none for `undefined`. */
export function about(
  root: string,
  file: string,
  kind: FindingKind,
  look: (source: SourceFile) => string | undefined,
): readonly Finding[] {
  const source = parseSource(root, file)
  if (typeof source !== 'string' && /\/index\.\w+$/.test(file) && isOnlyIndex(source)) return []
  const message = typeof source === 'string' ? `it cannot be parsed: ${source}` : look(source)
  return message === undefined ? [] : [{ kind, file, message }]
}

const withHints = (message: string, node: unknown): string => {
  const hints = codeHints(node)
  return hints === '' ? message : `${message}; it ${hints}`
}

/** The methods of a controller or service beyond the factory's defaults; `undefined` without any. */
function factoryCode(
  { program }: SourceFile,
  factory: string,
  noun: 'action' | 'method',
): string | undefined {
  const exported = defaultExport(program)
  const call =
    exported?.type === 'CallExpression' && lastName(exported.callee) === factory ? exported : undefined
  const given = call ? call.arguments[1] : exported
  const object = given && objectOf(given)
  const members = object ? propertiesOf(object) : given ? undefined : exportedNames(program)
  if (members?.size === 0 && (!object || object.properties.length === 0)) return undefined
  if (!given && members?.size === 0) return undefined
  const names = [...(members ?? new Map<string, Node>())].map(([name, node]) =>
    callsDefault(node, name) ? `${name} (around the default)` : name,
  )
  const what =
    names.length === 0
      ? `the ${noun}s are made by code`
      : `the ${noun}${names.length === 1 ? '' : 's'} ${names.join(', ')}`
  return withHints(what, program)
}

/** The object that an argument is or, as a function, returns. */
function objectOf(node: Node): Extract<Node, { type: 'ObjectExpression' }> | undefined {
  const inner = unwrap(node)
  const value = isFunction(inner) ? returned(inner) : inner
  return value?.type === 'ObjectExpression' ? value : undefined
}

/** Whether the code calls `super.<name>`. */
function callsDefault(node: Node, name: string): boolean {
  let isFound = false
  walk(node, (each) => {
    if (each.type === 'MemberExpression' && each.object.type === 'Super' && lastName(each) === name)
      isFound = true
  })
  return isFound
}

const nameOfModule = (kind: 'policy' | 'middleware', file: string, { program }: SourceFile): string =>
  withHints(`the ${kind} ${moduleName(file)}`, program)

function lifecycles({ program }: SourceFile): string | undefined {
  const names = [...exportedNames(program).keys()]
  if (names.length === 0)
    return defaultExport(program)?.type === 'ObjectExpression'
      ? undefined
      : withHints('lifecycles made by code', program)
  return withHints(names.join(', '), program)
}

/** Hints on `register`, `bootstrap` and `destroy` of `src/index` or of an API's index; `undefined` when all are empty. */
function startCode({ program }: SourceFile): string | undefined {
  const filled = [...exportedNames(program)].filter(([, node]) => !isEmpty(node))
  if (filled.length > 0) return withHints(filled.map(([name]) => name).join(', '), program)
  const exported = defaultExport(program)
  return !exported || exported.type === 'ObjectExpression'
    ? undefined
    : withHints('code made elsewhere', program)
}

const isEmpty = (node: Node): boolean =>
  isFunction(node) && node.body?.type === 'BlockStatement' && node.body.body.length === 0
