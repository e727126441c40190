/**
 * Copies Scalar's page, one file, and its licence into `dist`, so that users of the package do not install its 270
 * dependencies. The file is compressed; the server decompresses it for clients that do not accept Brotli.
 *
 * It is a task of its own, `build:page`, beside the build of the packages: it takes as long as all of them, and none waits for it.
 */
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))
// Its package exports neither its manifest nor this file.
const scalar = realpathSync(fileURLToPath(new URL('../node_modules/@scalar/api-reference/', import.meta.url)))
const { version } = JSON.parse(readFileSync(join(scalar, 'package.json'), 'utf8'))
const [target, note] = [join(dist, 'scalar.js.br'), join(dist, 'scalar.json')]

// Compressing takes some seconds.
const known =
  existsSync(target) && existsSync(note) ? JSON.parse(readFileSync(note, 'utf8')).version : undefined
if (known !== version) {
  const source = readFileSync(join(scalar, 'dist/browser/standalone.js'))
  // The address of the source map, which is not copied.
  const text = source.toString('utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n')
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: 24,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  }
  mkdirSync(dist, { recursive: true })
  writeFileSync(target, brotliCompressSync(text, { params }))
  // The package has no file of its own; its parts have the same licence.
  writeFileSync(join(dist, 'scalar.LICENSE'), readFileSync(join(scalar, '../themes/LICENSE')))
  writeFileSync(note, `${JSON.stringify({ name: '@scalar/api-reference', version, license: 'MIT' })}\n`)
}
