/** The size of an installation. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const mebibyte = 1024 * 1024

/** Installed packages, and the bytes of their files in MB of 1,048,576 bytes. */
export function measure(folder) {
  const lock = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'))
  return {
    packages: Object.keys(lock.packages).length,
    megabytes: Math.round((bytesOf(join(folder, 'node_modules')) / mebibyte) * 10) / 10,
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
