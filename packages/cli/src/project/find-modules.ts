import path from 'node:path'
import { extensions, findModule, parseSource, type SourceFile } from '../code/source-file.ts'
import { dotted, exportedNames, walk } from '../code/syntax.ts'
import { codeHints } from './code-hints.ts'
import type { Finding } from './finding.ts'
import { modulesBelow } from './folder.ts'

/** Modules that other findings are about: those in the folders that Strapi knows, and the index of `src` or of an API. */
const known = new RegExp(
  `^src/(?:(?:admin|components|extensions|middlewares|plugins|policies)/|(?:api/[^/]+/)?index\\.)|^src/api/[^/]+/(?:${[
    ...['controllers', 'services', 'policies', 'middlewares', 'routes'],
    'content-types/.+/(?:lifecycles|schema)\\.',
  ].join('|')})|^config/`,
)

/**
 * Modules beside the folders that Strapi knows, such as `src/services/mail.js`, `src/api/article/utils/slug.ts` and `lib/price.js`: code that
 * controllers and lifecycles import. Modules that nothing imports are left out, since a project with them does nothing more.
 */
export function findModules(root: string): readonly Finding[] {
  return [...importersOf(root)].flatMap(([name, from]): readonly Finding[] => {
    const file = name.startsWith('..') ? undefined : findModule(root, name)
    if (file === undefined || known.test(file)) return []
    const source = parseSource(root, file)
    if (typeof source === 'string')
      return [{ kind: 'service', file, message: `it cannot be parsed: ${source}` }]
    return [{ kind: kindOf(file, source), file, message: described(source, [...from]) }]
  })
}

/** The files of `src` and `config` that import a module, by its path without the extension. */
function importersOf(root: string): ReadonlyMap<string, ReadonlySet<string>> {
  const importers = new Map<string, Set<string>>()
  for (const file of [...modulesBelow(root, 'src'), ...modulesBelow(root, 'config')]) {
    const source = parseSource(root, file)
    if (typeof source === 'string') continue
    for (const specifier of specifiersOf(source)) {
      const target = targetOf(file, specifier)
      if (target === undefined) continue
      // A folder is imported by its index.
      for (const name of [target, `${target}/index`])
        importers.set(name, (importers.get(name) ?? new Set()).add(file))
    }
  }
  return importers
}

/** A path of the project without an extension; `undefined` for a package. */
function targetOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return withoutExtension(path.posix.join(path.posix.dirname(file), specifier))
  // Aliases of tsconfig.json that projects have: `src/utils`, `~/utils`, `@/utils`.
  const alias = /^(?:src|~|@)\/(.+)$/.exec(specifier)?.[1]
  return alias === undefined ? undefined : withoutExtension(`src/${alias}`)
}

function specifiersOf({ program }: SourceFile): readonly string[] {
  const found: string[] = []
  walk(program, (node) => {
    if (
      (node.type === 'ImportDeclaration' ||
        node.type === 'ExportNamedDeclaration' ||
        node.type === 'ExportAllDeclaration') &&
      node.source
    )
      found.push(node.source.value)
    const isRequire = node.type === 'CallExpression' && dotted(node.callee) === 'require'
    const [first] = isRequire ? node.arguments : []
    const given = node.type === 'ImportExpression' ? node.source : first
    if (given?.type === 'Literal' && typeof given.value === 'string') found.push(given.value)
  })
  return found
}

const withoutExtension = (file: string): string => {
  const extension = extensions.find((one) => file.endsWith(one))
  return extension === undefined ? file : file.slice(0, -extension.length)
}

const kindOf = (file: string, { program }: SourceFile): Finding['kind'] =>
  /(?:^|\/)lifecycles?\b/.test(file) ||
  [...exportedNames(program).keys()].some((name) => isLifecycle.test(name))
    ? 'lifecycle'
    : 'service'

const isLifecycle = /^(?:before|after)(?:Create|Update|Delete|Find|Count)/

/** The most importers that a line names. */
const named = 2

function described({ program }: SourceFile, importers: readonly string[]): string {
  const names = [...exportedNames(program).keys()]
  const hints = codeHints(program)
  const others = importers.length - named
  const from = importers.slice(0, named).join(', ') + (others > 0 ? ` and ${others} more` : '')
  return `${names.length === 0 ? 'code' : names.join(', ')}, imported by ${from}${hints === '' ? '' : `; it ${hints}`}`
}
