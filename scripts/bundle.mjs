/**
 * Makes the JavaScript of a published package, the one in the working directory: `node ../../scripts/bundle.mjs`, after
 * `tsc -b`, which writes the declarations. A process that loads one file in place of hundreds starts sooner.
 *
 * - Each file that `exports` and `bin` of package.json name is an entry: `dist/index.js` is made of `src/index.ts` and the modules
 *   that it imports. What several entries share, or one imports with `import()`, is a file of its own next to them, so
 *   that no module exists twice and nothing is loaded early.
 * - Arguments are further entries, programs that the code starts: `src/codec/codec-process.ts` becomes `dist/codec-process.js`.
 * - Other packages stay imports; the syntax stays as well, which tsc limits to that of Node.js 22. Nothing is minified, and source
 *   maps lead to the sources, which are published too. V8 keeps the text of a module in memory for as long as the process runs, so
 *   comments are left out, and other characters than ASCII are escaped: with one of them above U+00FF, each character of the file takes two bytes.
 *
 * All files are in `dist` itself, so that a path relative to `import.meta.url` is the same in each. In the sources it differs:
 * code that needs its package's files resolves the package by its name.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, isAbsolute, join, resolve } from 'node:path'
import { rolldown } from 'rolldown'

/** Modules for browsers, which tsc writes one by one: a page loads them as they are. */
const forBrowsers = 'browser'

removeOld()
const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const bundle = await rolldown({
  input: entries(),
  platform: 'node',
  external: (id) => !id.startsWith('.') && !isAbsolute(id),
  treeshake: { moduleSideEffects: true },
  onwarn: ({ message }) => {
    throw new Error(message)
  },
})
const { output } = await bundle.write({
  dir: 'dist',
  format: 'esm',
  sourcemap: true,
  // The sources are part of the package.
  sourcemapExcludeSources: true,
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
  // Names of classes are shown to users.
  keepNames: true,
  minify: false,
  minifyInternalExports: false,
  // Those of licences stay.
  comments: { jsdoc: false },
})
await bundle.close()
for (const { type, fileName, code, imports, dynamicImports } of output) {
  if (type !== 'chunk') continue
  refuseUndeclared(fileName, [...imports, ...dynamicImports])
  writeFileSync(join('dist', fileName), inAscii(withoutBuiltinImports(code), fileName))
}

/** The sources of the entries, by the name of their file. */
function entries() {
  const { exports, bin = {} } = manifest
  const files = [...Object.values(exports).map((entry) => entry.default), ...Object.values(bin)]
  const sources = files
    .filter((file) => file?.endsWith('.js'))
    .map((file) => file.replace(/^\.\/dist\/(.*)\.js$/, 'src/$1.ts'))
  return Object.fromEntries(
    [...sources, ...process.argv.slice(2)].map((file) => [basename(file, '.ts'), resolve(file)]),
  )
}

/** @throws Error for an import that an installed package could not resolve, helpers of the bundler among them. */
function refuseUndeclared(fileName, imports) {
  const { dependencies, peerDependencies } = manifest
  const declared = Object.keys({ ...dependencies, ...peerDependencies })
  const known = (id) =>
    id.startsWith('node:') ||
    output.some((other) => other.fileName === id) ||
    declared.some((name) => id === name || id.startsWith(`${name}/`))
  const unknown = imports.filter((id) => !known(id))
  if (unknown.length > 0) throw new Error(`${fileName} imports ${unknown.join(', ')}, no dependency of it`)
}

/**
 * Gets the modules of Node.js without `import`, which reads every export of them at once, those included that Node.js would
 * load later: for `WebSocket` of `node:http` that is undici, 40 ms of a start. Each import stays on its line.
 */
function withoutBuiltinImports(code) {
  const lines = code.split('\n')
  // The bundler puts all imports at the beginning. Texts further down may look like one.
  const end = lines.findIndex((line) => !/^(?:import\b|#!)/.test(line))
  return [...lines.slice(0, end).map(withoutBuiltinImport), ...lines.slice(end)].join('\n')
}

function withoutBuiltinImport(line) {
  const found = /^import (?:(\w+))?(?:, )?(?:\{ (.*) \})? from "(node:[\w/]+)";$/.exec(line)
  if (!found) return line
  const [, module, names, id] = found
  const builtin = `process.getBuiltinModule("${id}")`
  const declared = [
    ...(module ? [`${module} = ${builtin}`] : []),
    ...(names ? [`{ ${names.replaceAll(' as ', ': ')} } = ${module ?? builtin}`] : []),
  ]
  return `const ${declared.join(', ')};`
}

/**
 * An escape means the same as its character in names, strings, templates and regular expressions.
 * @throws Error where it does not: in a template that is read as it is written, and after a backslash.
 */
function inAscii(code, fileName) {
  const [found] = /\bString\.raw`[^`]*[^\0-\x7f]|(?<!\\)(?:\\\\)*\\[^\0-\x7f]/.exec(code) ?? []
  if (found) throw new Error(`${fileName} has a character that cannot be escaped: ${found.slice(-60)}`)
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Files of an earlier build, whose names may differ. */
function removeOld() {
  for (const file of readdirSync('dist', { recursive: true })) {
    if (/\.js(\.map)?$/.test(file) && !file.startsWith(forBrowsers)) rmSync(join('dist', file))
  }
}
