/**
 * `pnpm faults`: writes over the REST API while the server is killed, and ends with 1 when an acknowledged write is lost,
 * a refused one is there, or an entry is half-written.
 *
 *     pnpm faults --kills 20
 *     OCTAVO_TEST_ENGINE=pglite pnpm faults
 */
import { parseArgs } from 'node:util'
import { crash } from './crash.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '8' },
    /** Acknowledged writes between two kills. */
    writes: { type: 'string', default: '200' },
    clients: { type: 'string', default: '6' },
  },
})
const { engine, kills, acknowledged, unknown, violations } = await crash({
  kills: Number(values.kills),
  writesBetween: Number(values.writes),
  clients: Number(values.clients),
})
console.log(
  `${kills} kills on ${engine}: ${acknowledged} writes acknowledged, ${unknown} cut off, ${violations.length} violations`,
)
for (const violation of violations) console.error(violation)
process.exitCode = violations.length > 0 ? 1 : 0
