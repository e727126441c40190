import { readFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { bundle } from './bundle.ts'

it('The client is as small as the README says, minified and compressed', async () => {
  const bytes = await bundle()
  const gzip = gzipSync(bytes, { level: 9 }).length
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const bound = Number(/less than ([\d.]+) kB with gzip/.exec(readme)?.[1]) * 1000
  console.info(
    `@octavo/client: ${bytes.length} bytes, ${gzip} with gzip, ${brotliCompressSync(bytes).length} with brotli`,
  )
  expect(gzip).toBeLessThan(bound)
  expect(new TextDecoder().decode(bytes)).not.toContain('import')
})
