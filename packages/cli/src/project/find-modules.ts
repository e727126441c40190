import path from 'node:path'
import { codeHints } from './code-hints.ts'
import type { Finding } from './finding.ts'
import { entriesIn, modulesBelow } from './folder.ts'
import { extensions, parseSource, type SourceFile } from './source-file.ts'
import { dotted, exportedNames, walk } from './syntax.ts'

/** Folders of `src` whose modules other findings are about. */
const known: ReadonlySet<string> = new Set([
  'admin',
  'api',
  'components',
  'extensions',
  'middlewares',
  'plugins',
  'policies',
])

/**
 * Modules beside the folders that Strapi knows, such as `src/services/mail.js` and `src/lifecycles/slug.ts`: code that controllers
 * and lifecycles import. Modules that nothing imports are left out, since a project with them does nothing more.
 */
export function findModules(root: string): readonly Finding[] {
  const files = entriesIn(root, 'src')
    .filter((entry) => !entry.isFile() && !known.has(entry.name))
    .flatMap(({ name }) => modulesBelow(root, `src/${name}`))
  if (files.length === 0) return []
  const importers = importersOf(root)
  return files.flatMap((file): readonly Finding[] => {
    const from = importers.get(withoutExtension(file))
    if (!from) return []
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
