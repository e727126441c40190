/**
 * Prints the names that an editor offers, as JSON: one list for each `‸` in the text of the standard input, which is the module of the path
 * given. With `hover`, prints the documentation that it shows for the name behind each `‸`.
 *
 *     echo "await articles.find({ populate: { ‸ } })" | node complete.mjs test/completed.ts
 *     echo "await articles.find({ ‸populate: {} })" | node complete.mjs test/completed.ts hover
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import ts from 'typescript'

const [path = '', mode] = process.argv.slice(2)
const module = resolve(path)
const parts = readFileSync(0, 'utf8').split('‸')
const text = parts.join('')

const { options } = ts.parseJsonConfigFileContent(
  {
    compilerOptions: {
      module: 'nodenext',
      target: 'es2024',
      strict: true,
      customConditions: ['octavo-source'],
      allowImportingTsExtensions: true,
      noEmit: true,
    },
  },
  ts.sys,
  process.cwd(),
)
const service = ts.createLanguageService({
  getCompilationSettings: () => options,
  getCurrentDirectory: () => process.cwd(),
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  getScriptFileNames: () => [module],
  getProjectVersion: () => '1',
  getScriptVersion: () => '1',
  getScriptSnapshot: (file) => {
    const content = file === module ? text : ts.sys.readFile(file)
    return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content)
  },
  fileExists: (file) => file === module || ts.sys.fileExists(file),
  readFile: ts.sys.readFile,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
  realpath: ts.sys.realpath,
})

const positions = parts.slice(0, -1).map((_, i) => parts.slice(0, i + 1).join('').length)
const namesAt = (position) =>
  service.getCompletionsAtPosition(module, position, {})?.entries.map(({ name }) => name) ?? []
const documentationAt = (position) =>
  ts.displayPartsToString(service.getQuickInfoAtPosition(module, position)?.documentation)
process.stdout.write(JSON.stringify(positions.map(mode === 'hover' ? documentationAt : namesAt)))
