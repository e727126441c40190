/** Programs that import every package compile with both kinds of resolution and both lines of TypeScript. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const compilers = { 'typescript-5': 'npm:typescript@5.9.3', 'typescript-7': 'npm:typescript@7.0.2' }
const resolutions = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
}

export async function compileConsumers({ folder, names, run }) {
  const aliases = Object.entries(compilers).map(([name, version]) => `${name}@${version}`)
  const added = ['install', '@types/node@24', ...aliases]
  if ((await run('compilers: npm install', 'npm', added, folder)) === undefined) return
  const imports = names.map((name, i) => `import * as p${i} from '${name}'\n`)
  writeFileSync(
    join(folder, 'consumer.ts'),
    `${imports.join('')}\nexport const packages = [${names.map((_, i) => `p${i}`).join(', ')}]\n`,
  )
  for (const [resolution, options] of Object.entries(resolutions))
    for (const compiler of Object.keys(compilers)) {
      const project = `tsconfig.${resolution}.json`
      const compilerOptions = {
        ...options,
        target: 'es2024',
        lib: ['es2024'],
        types: ['node'],
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        skipLibCheck: false,
      }
      writeFileSync(join(folder, project), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }))
      const title = `${compiler}, ${resolution}, without skipLibCheck`
      const bin = join(folder, 'node_modules', compiler, 'bin/tsc')
      if ((await run(title, process.execPath, [bin, '-p', project], folder)) !== undefined)
        console.log(`✓ ${title}`)
    }
}
