/**
 * Loaded into a server with `node --import`: writes the sizes of V8's spaces into the file `OCTAVO_MEMORY` for each SIGUSR2 (`heap-figures.ts` has the
 * shape), and for each SIGPROF a snapshot of the heap beside it. Plain JavaScript: to read TypeScript, Node.js loads a compiler, which would be measured too.
 */
import { renameSync, writeFileSync } from 'node:fs'
import { getHeapSpaceStatistics, writeHeapSnapshot } from 'node:v8'

const file = process.env.OCTAVO_MEMORY
// Processes for pictures inherit the variable.
if (file !== undefined && process.argv[2] === 'start') {
  process.on('SIGUSR2', () => {
    const spaces = getHeapSpaceStatistics().map((space) => ({
      name: space.space_name,
      size: space.physical_space_size,
      used: space.space_used_size,
    }))
    const { arrayBuffers } = process.memoryUsage()
    writeFileSync(`${file}.new`, JSON.stringify({ arrayBuffers, spaces }))
    // The reader finds all or nothing.
    renameSync(`${file}.new`, file)
  })
  process.on('SIGPROF', () => renameSync(writeHeapSnapshot(`${file}.part`), `${file}.heapsnapshot`))
}
