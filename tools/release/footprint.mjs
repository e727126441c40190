/** The size of an installation, and its table in the README. */
import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { arch, platform } from 'node:os'
import { join } from 'node:path'

const mebibyte = 1024 * 1024
const begin = '<!-- footprint: written by `pnpm footprint` -->'
const end = '<!-- end of footprint -->'

/** Installed packages, and the bytes of their files in MB of 1,048,576 bytes. */
export function measure(folder) {
  const lock = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'))
  return {
    packages: Object.keys(lock.packages).length,
    megabytes: bytesOf(join(folder, 'node_modules')) / mebibyte,
  }
}

function bytesOf(folder) {
  let bytes = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = join(folder, entry.name)
    if (entry.isDirectory()) bytes += bytesOf(file)
    else if (entry.isFile()) bytes += lstatSync(file).size
  }
  return bytes
}

/** Replaces the table between the two comments of a file, or adds the section before "Test it". */
export function writeTable(file, rows) {
  const text = readFileSync(file, 'utf8')
  const place = text.includes(begin)
    ? text
    : text.replace(/(?=^## Test it$)/m, `## Size\n\n${begin}\n${end}\n\n`)
  const [before, rest] = place.split(begin)
  const after = rest?.split(end)[1]
  if (after === undefined) throw new Error(`${file} has no place for the table: a section "Test it" after it`)
  const lines = rows.map(
    ({ title, packages, megabytes, seconds, start }) =>
      `| ${title} | ${packages} | ${megabytes.toFixed(0)} | ${seconds.toFixed(0)} | ${start.toFixed(1)} |`,
  )
  const node = `Node.js ${process.versions.node.split('.')[0]}, ${platform()} ${arch()}`
  const table = `| npm install | packages | MB | seconds | start, s |\n|---|---|---|---|---|\n${lines.join('\n')}\n\nMeasured with ${node}, from a registry on the same machine; later rows find packages of earlier ones in npm's cache.\n\`start\` is the time until a program listens, with an empty embedded database in memory.`
  writeFileSync(file, `${before}${begin}\n\n${table}\n\n${end}${after}`)
}
