import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { refuseOtherVersions } from '@octavo/core/internal'
import { UsageError } from './usage-error.ts'

interface Manifest {
  readonly name?: string
  readonly engines?: { readonly octavo?: string }
  readonly dependencies?: Readonly<Record<string, string>>
}

/**
 * Compares `engines.octavo` in the `package.json` of a project, and in those of its dependencies, with the version of Octavo: npm
 * itself compares `node` and `npm` only.
 * @throws ConfigurationError for other versions; UsageError for a `package.json` that cannot be read
 */
export function refuseOtherEngines(folder: string): void {
  const project = readManifest(path.join(folder, 'package.json'))
  if (!project) return
  const { dependencies = {}, engines } = project
  const installed = Object.keys(dependencies)
    .filter((name) => !name.startsWith('@octavo/'))
    .map((name) => readManifest(path.join(folder, 'node_modules', name, 'package.json')))
  refuseOtherVersions(
    installed.flatMap((found) => (found?.engines?.octavo === undefined ? [] : [packageOf(found)])),
    'package',
  )
  if (engines?.octavo !== undefined) refuseOtherVersions([packageOf(project)], 'project')
}

const packageOf = ({ name = 'without a name', engines = {} }: Manifest) => ({ name, engines })

function readManifest(file: string): Manifest | undefined {
  if (!existsSync(file)) return undefined
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Manifest
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}
