import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** The client as a page would load it: one minified module. */
export async function bundle(entry = `export * from './index.ts'`): Promise<Uint8Array> {
  const resolveDir = fileURLToPath(new URL('../src', import.meta.url))
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    write: false,
  })
  const [file] = outputFiles
  if (!file) throw new Error('esbuild wrote no file')
  return file.contents
}
