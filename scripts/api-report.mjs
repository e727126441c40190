/**
 * `pnpm api`: writes what each published package exports into `docs/api/<package>.md`, from the built declarations. With
 * `--check` it writes nothing and fails when a report is out of date: a change of the public surface is seen in review and
 * comes with a changeset. Build first.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'

const root = fileURLToPath(new URL('..', import.meta.url))
const reports = join(root, 'docs/api')
/** Declaration files that were parsed, by their path. */
const parsed = new Map()
const resolve = (from, source) => join(dirname(from), source.replace(/\.(ts|js)$/, '.d.ts'))
const isCheck = process.argv.includes('--check')

mkdirSync(reports, { recursive: true })
const outdated = []
for (const folder of readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name))) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const entries = entriesOf(folder, manifest)
  if (manifest.private || entries.length === 0) continue
  const text = report(manifest.name, entries)
  const file = join(reports, `${manifest.name.replace('@octavo/', '')}.md`)
  const known = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (known === text) continue
  if (isCheck) outdated.push(relative(root, file))
  else writeFileSync(file, text)
}
if (outdated.length > 0) {
  console.error(
    `The public surface changed. Run \`pnpm api\` and look at the difference of ${outdated.join(', ')}`,
  )
  process.exitCode = 1
}

/** The public entries with names: `.` and `./plugin`, for example. */
function entriesOf(folder, { exports }) {
  return Object.entries(exports ?? {})
    .filter(([path, { types }]) => path !== './internal' && types?.startsWith('./dist/'))
    .map(([path, { types }]) => ({ path, file: join(folder, types) }))
    .filter(({ file }) => existsSync(file) && exportsOf(file).size > 0)
}

function report(name, entries) {
  const sections = entries.map(({ path, file }) => {
    const exported = [...exportsOf(file)].sort(([a], [b]) => (a < b ? -1 : 1))
    const code = `\`\`\`ts\n${exported.map(([, text]) => text).join('\n\n')}\n\`\`\`\n`
    return path === '.' ? code : `## ${name}${path.slice(1)}\n\n${code}`
  })
  return `# The public surface of ${name}\n\nPrinted by \`pnpm api\`. A difference needs a changeset.\n\n${sections.join('\n')}`
}

/** The exported names of a declaration file, each with the text of its declarations without comments. */
function exportsOf(file) {
  const { program, text, withoutComments } = parse(file)
  const found = new Map()
  const add = (name, declaration) =>
    found.set(name, found.has(name) ? `${found.get(name)}\n${declaration}` : declaration)
  for (const node of program.body) {
    if (node.type === 'ExportAllDeclaration') {
      for (const [name, declaration] of exportsOf(resolve(file, node.source.value))) add(name, declaration)
    } else if (node.type === 'ExportNamedDeclaration' && node.declaration) {
      for (const name of namesOf(node.declaration)) add(name, withoutComments(node))
    } else if (node.type === 'ExportNamedDeclaration' && node.source) {
      for (const { local, exported } of node.specifiers) {
        const isOurs = node.source.value.startsWith('.')
        const declaration = isOurs ? exportsOf(resolve(file, node.source.value)).get(local.name) : undefined
        add(exported.name, declaration ?? `export { ${local.name} } from '${node.source.value}'`)
      }
    } else if (node.type === 'ExportNamedDeclaration') {
      for (const { local, exported } of node.specifiers) {
        if (!exported) continue
        const own = program.body.filter((statement) => namesOf(statement).includes(local.name))
        const imported = importOf(program, local.name)
        if (own.length > 0) add(exported.name, own.map(withoutComments).join('\n'))
        else if (imported?.source.startsWith('.'))
          add(exported.name, exportsOf(resolve(file, imported.source)).get(imported.name) ?? local.name)
        else add(exported.name, `export { ${text.slice(local.start, local.end)} } from '${imported?.source}'`)
      }
    }
  }
  return found
}

/** Where an imported name comes from. */
function importOf(program, name) {
  for (const node of program.body) {
    if (node.type !== 'ImportDeclaration') continue
    const specifier = node.specifiers.find(({ local }) => local.name === name)
    if (specifier) return { source: node.source.value, name: specifier.imported?.name ?? name }
  }
}

function namesOf(declaration) {
  if (declaration.type === 'VariableDeclaration') return declaration.declarations.map(({ id }) => id.name)
  return declaration.id?.name ? [declaration.id.name] : []
}

function parse(file) {
  if (!parsed.has(file)) {
    const text = readFileSync(file, 'utf8')
    const { program, comments } = parseSync(file, text)
    const withoutComments = ({ start, end }) => {
      let out = ''
      let at = start
      for (const comment of comments) {
        if (comment.start < start || comment.end > end) continue
        out += text.slice(at, comment.start)
        at = comment.end
      }
      return (out + text.slice(at, end))
        .split('\n')
        .map((line) => line.trimEnd())
        .filter((line) => line !== '')
        .join('\n')
    }
    parsed.set(file, { program, text, withoutComments })
  }
  return parsed.get(file)
}
