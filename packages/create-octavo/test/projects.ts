/** Runs create-octavo and the projects that it makes, in a folder of this package, where the packages of the workspace are found. */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'

const at = (place: string): string => fileURLToPath(new URL(place, import.meta.url))
export const bin = at('../dist/bin.js')
/** Embedded databases start from a copy of an empty one, because initdb takes seconds. */
const preparedDatabases = at('../../core/test/support/prepared-pglite-hook.mjs')

export const strapiProject = at('../../cli/test/fixtures/strapi-project')
export const octavo = at('../node_modules/@octavo/cli/dist/bin.js')

export interface Projects {
  readonly folder: string
  /** Runs a program of Node.js in a project, or in the folder. */
  run(project: string, ...args: readonly string[]): SpawnSyncReturns<string>
  create(...args: readonly string[]): SpawnSyncReturns<string>
  /** Creates a project by a package manager, which `npm_config_user_agent` names. */
  createBy(agent: string, ...args: readonly string[]): SpawnSyncReturns<string>
  read(file: string): string
  /** Fails for a project that does not compile. */
  compile(project: string): void
  /** Fails for a project whose tests fail. */
  test(project: string): void
  remove(): void
}

export function openProjects(): Projects {
  mkdirSync(at('../.octavo'), { recursive: true })
  const folder = mkdtempSync(at('../.octavo/create-'))
  const runWith = (variables: NodeJS.ProcessEnv, project: string, args: readonly string[]) =>
    spawnSync(process.execPath, [...args], {
      cwd: path.join(folder, project),
      encoding: 'utf8',
      env: {
        ...process.env,
        NODE_OPTIONS: `--import=${preparedDatabases}`,
        NODE_ENV: 'development',
        VITEST: undefined,
        // The package manager that runs the tests.
        npm_config_user_agent: undefined,
        ...variables,
      },
    })
  const run: Projects['run'] = (project, ...args) => runWith({}, project, args)
  return {
    folder,
    run,
    create: (...args) => run('.', bin, ...args),
    createBy: (agent, ...args) => runWith({ npm_config_user_agent: agent }, '.', [bin, ...args]),
    read: (file) => readFileSync(path.join(folder, file), 'utf8'),
    compile: (project) => expect(run(project, at('../node_modules/typescript/bin/tsc')).stdout).toBe(''),
    test: (project) => {
      const { status, stdout, stderr } = run(project, at('../node_modules/vitest/vitest.mjs'), 'run')
      expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, ''])
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
