import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Lines of a source file. A longer file usually has two subjects. */
const most = 250

/**
 * The longer files that there are, with the lines that each may have. A file leaves the list when it is divided; no file joins it, and
 * no number grows.
 */
const longer: Readonly<Record<string, number>> = {
  'apps/reliability/src/faults/client-faults.ts': 353,
  'apps/reliability/src/faults/database-faults.ts': 280,
  'apps/reliability/src/faults/process-faults.ts': 279,
  'bench/src/fill.ts': 262,
  'packages/core/src/compile/entry.ts': 301,
  'packages/core/src/parse/populate.ts': 255,
  'packages/core/src/hooks/hook-runner.ts': 277,
  'packages/core/src/resolve/scope.ts': 325,
  'packages/core/src/schema/tables/tables.ts': 253,
  'packages/database/src/embedded/embedded-folder.ts': 289,
  'packages/database/src/sql/sql.ts': 292,
  'packages/plugin-desk/src/browser/blocks/commands.ts': 274,
  'packages/plugin-desk/src/form/form.ts': 335,
  'packages/plugin-editors/src/accounts/people.ts': 279,
  'packages/plugin-openapi/src/schemas/model-schemas.ts': 268,
  'packages/plugin-upload/src/folders/folders.ts': 257,
  'packages/server/src/plugin/plugin-routes.ts': 283,
}

const sources = globSync(['packages/*/src/**/*.{ts,tsx}', 'apps/*/src/**/*.ts', 'bench/src/**/*.ts'], {
  cwd: root,
})
  .map((file) => file.split(path.sep).join('/'))
  .filter((file) => !/\.test\.tsx?$|\/random\.ts$|\/text\/[a-z-]+\.ts$/.test(file))

const linesOf = (file: string): number =>
  readFileSync(path.join(root, file), 'utf8').trimEnd().split('\n').length

it('Source files have at most 250 lines, but for a list that only becomes shorter', () => {
  expect(sources.length).toBeGreaterThan(800)
  const long = sources.map((file) => [file, linesOf(file)] as const).filter(([, lines]) => lines > most)
  expect(long.filter(([file, lines]) => lines > (longer[file] ?? most))).toEqual([])
  const isLong = new Set(long.map(([file]) => file))
  expect(Object.keys(longer).filter((file) => !isLong.has(file))).toEqual([])
})
