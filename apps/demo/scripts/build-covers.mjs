/**
 * Draws covers for some books and uploads them to a server that runs for this, so that `media/` and `data/covers.json` hold
 * the result of an upload: files with their formats. Run `build-library.mjs` afterwards.
 *
 *     node apps/demo/scripts/build-covers.mjs
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { silentLogger } from '@octavo/core'
import { localDisk, upload } from '@octavo/plugin-upload'
import { createServer } from '@octavo/server'
import sharp from 'sharp'
import { books } from './source/books.mjs'

const MEDIA = fileURLToPath(new URL('../media/', import.meta.url))
const TARGET = new URL('../data/covers.json', import.meta.url)

/** Sizes and formats that between them have every set of smaller formats. */
const shapes = [
  ['jpeg', 800, 1200],
  ['png', 600, 900],
  ['webp', 500, 720],
  ['avif', 400, 600],
  ['jpeg', 140, 210],
  ['gif', 300, 450],
]
const count = 24

/** Stripes and circles whose colours and places come from the title. */
function drawing(title, width, height) {
  let seed = [...title].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) >>> 0, 7)
  const next = (limit) => {
    seed = (seed * 1_664_525 + 1_013_904_223) >>> 0
    return Math.floor((seed / 2 ** 32) * limit)
  }
  const hue = next(360)
  const stripes = Array.from({ length: 5 }, (_, i) => {
    const fill = `hsl(${(hue + i * 12) % 360} 45% ${30 + i * 8}%)`
    return `<rect y="${i * 20}%" width="100%" height="20%" fill="${fill}"/>`
  })
  const circles = Array.from({ length: 6 }, () => {
    const fill = `hsl(${(hue + 150 + next(60)) % 360} 60% 60%)`
    return `<circle cx="${next(100)}%" cy="${next(100)}%" r="${5 + next(15)}%" fill="${fill}" fill-opacity="0.8"/>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${stripes.join('')}${circles.join('')}</svg>`
}

rmSync(MEDIA, { recursive: true, force: true })
const server = await createServer({
  logger: silentLogger,
  plugins: [upload({ provider: localDisk({ folder: MEDIA }) })],
})
const { url } = await server.listen(0, '127.0.0.1')
const covers = {}
const files = []
for (const [i, { title }] of books.slice(0, count).entries()) {
  const [format, width, height] = shapes[i % shapes.length]
  const picture = await sharp(Buffer.from(drawing(title, width, height)))
    .toFormat(format)
    .toBuffer()
  const form = new FormData()
  form.append('fileInfo', JSON.stringify({ alternativeText: `The cover of ${title}` }))
  const name = `${title.replaceAll(/[<>:"/\\|?*]/g, '')}.${format === 'jpeg' ? 'jpg' : format}`
  form.append('files', new Blob([picture]), name)
  const response = await fetch(`${url}/api/upload`, { method: 'POST', body: form })
  if (!response.ok) throw new Error(`${title}: ${await response.text()}`)
  const [file] = await response.json()
  files.push({ ...file, folderPath: '/' })
  covers[title] = file.id
}
await server.close()
rmSync(join(MEDIA, '.incoming'), { recursive: true })
writeFileSync(TARGET, `${JSON.stringify({ covers, files }, null, 2)}\n`)
console.log(`${files.length} covers, ${readdirSync(MEDIA).length} files in media/`)
