/** Programs that import the packages compile with both kinds of resolution and both lines of TypeScript. */
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const compilers = { 'typescript-5': 'npm:typescript@5.9.3', 'typescript-7': 'npm:typescript@7.0.2' }
const resolutions = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
}

/** Compiles a program that imports all packages, and the one of a front end beside them. */
export async function compileConsumers({ folder, names, run }) {
  const imports = names.map((name, i) => `import * as p${i} from '${name}'\n`)
  writeFileSync(
    join(folder, 'consumer.ts'),
    `${imports.join('')}\nexport const packages = [${names.map((_, i) => `p${i}`).join(', ')}]\n`,
  )
  const files = ['consumer.ts', ...copyFrontEnd(folder)]
  const options = { lib: ['es2024'], types: ['node'] }
  await compile({ title: 'all packages', folder, files, options, added: ['@types/node@24'], run })
}

/** Compiles a program that has the client and the file of `octavo types` only: neither core nor the types of Node. */
export async function compileFrontEnd({ folder, run }) {
  const files = copyFrontEnd(folder)
  const options = { lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'], types: [] }
  await compile({ title: 'the client alone', folder, files, options, added: ['@octavo/client'], run })
}

function copyFrontEnd(folder) {
  const types = '../../apps/demo/site/octavo-types.d.ts'
  return ['front-end.ts', types].map((file) => {
    const name = file.split('/').at(-1)
    copyFileSync(fileURLToPath(new URL(file, import.meta.url)), join(folder, name))
    return name
  })
}

async function compile({ title, folder, files, options, added, run }) {
  const aliases = Object.entries(compilers).map(([name, version]) => `${name}@${version}`)
  const installed = await run(`${title}: npm install`, 'npm', ['install', ...added, ...aliases], folder)
  if (installed === undefined) return
  for (const [resolution, modules] of Object.entries(resolutions))
    for (const compiler of Object.keys(compilers)) {
      const project = `tsconfig.${resolution}.json`
      const compilerOptions = {
        ...modules,
        ...options,
        target: 'es2024',
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        skipLibCheck: false,
      }
      writeFileSync(join(folder, project), JSON.stringify({ compilerOptions, files }))
      const line = `${title}: ${compiler}, ${resolution}, without skipLibCheck`
      const bin = join(folder, 'node_modules', compiler, 'bin/tsc')
      if ((await run(line, process.execPath, [bin, '-p', project], folder)) !== undefined)
        console.log(`✓ ${line}`)
    }
}
