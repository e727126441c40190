/**
 * Makes the files that browsers load, in `dist/page`: the modules of `src/browser` with React and the other libraries in them, so
 * that users of the package install none of them, and the style sheets. Names have a hash of the content and are cached for a year;
 * `files.json` lists them, with those that each page and each language needs. Each file is stored a second time, compressed.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, constants } from 'node:zlib'
import { rolldown } from 'rolldown'

const folder = 'dist/page'
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })

/** The modules that the script imports, at any depth, without those that it loads later. */
const first = new Set()
const findFirst = {
  name: 'find-first',
  buildEnd() {
    const add = (id) => {
      if (first.has(id)) return
      first.add(id)
      for (const imported of this.getModuleInfo(id)?.importedIds ?? []) add(imported)
    }
    for (const id of this.getModuleIds()) if (this.getModuleInfo(id)?.isEntry) add(id)
  },
}

const bundle = await rolldown({
  input: { desk: 'src/browser/main.tsx' },
  plugins: [findFirst],
  // Other files import from the script what they share with it.
  preserveEntrySignatures: false,
  platform: 'browser',
  transform: { define: { 'process.env.NODE_ENV': '"production"' }, jsx: { runtime: 'automatic' } },
  onwarn: ({ code, message }) => {
    if (code !== 'MODULE_LEVEL_DIRECTIVE') throw new Error(message)
  },
})
const { output } = await bundle.generate({
  format: 'esm',
  minify: true,
  entryFileNames: '[name]-[hash].js',
  chunkFileNames: '[name]-[hash].js',
  // One file, also of what later ones share with it: a browser asks for six files at once, and each further one delays all pages.
  codeSplitting: { groups: [{ name: 'desk', test: (id) => first.has(id) }] },
})
await bundle.close()

const hashOf = (text) => createHash('sha256').update(text).digest('base64url').slice(0, 8)
const style = [
  '../server/look/tokens.css',
  'page/desk.css',
  'page/rooms.css',
  'page/writing.css',
  'page/print.css',
]
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n')
const styleName = `desk-${hashOf(style)}.css`
const chunks = output.filter(({ type }) => type === 'chunk')
const entry = chunks.find(({ isEntry }) => isEntry)
/** A chunk and all that it imports, without what every page has. */
const withImports = (name) =>
  name === entry.fileName
    ? []
    : [name, ...chunks.find(({ fileName }) => fileName === name).imports.flatMap(withImports)]
/** The files of the modules that the script loads later, by their names. */
const parts = (isWanted) =>
  Object.fromEntries(
    chunks
      .filter(({ isDynamicEntry, facadeModuleId }) => isDynamicEntry && isWanted(facadeModuleId))
      .map(({ name, fileName }) => [name, [...new Set(withImports(fileName))]]),
  )
const files = [...chunks.map(({ fileName, code }) => [fileName, code]), [styleName, style]]
for (const [name, text] of files) {
  writeFileSync(`${folder}/${name}`, text)
  writeFileSync(
    `${folder}/${name}.br`,
    brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  )
}
writeFileSync(
  `${folder}/files.json`,
  `${JSON.stringify(
    {
      script: entry.fileName,
      style: styleName,
      pages: parts((file) => file.endsWith('-page.tsx')),
      languages: parts((file) => file.includes('/src/browser/text/')),
      all: files.map(([name]) => name),
    },
    null,
    2,
  )}\n`,
)
