import { readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { UsageError } from '../usage-error.ts'
import { addFile } from '../write-whole.ts'
import { pluginFiles } from './plugin-files.ts'

export interface PluginFlags {
  /** The folder of the package. */
  readonly dir?: string
}

/**
 * `octavo generate plugin NAME`: writes the package of a plugin, with its test, into `plugins/NAME`.
 * @throws UsageError when the folder is not empty
 */
export async function generatePlugin(
  name: string,
  { dir = path.join('plugins', name) }: PluginFlags,
): Promise<void> {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    throw new UsageError(`The name of a plugin is like audit-log, not ${JSON.stringify(name)}`)
  const entries = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    if (error.code === 'ENOTDIR') throw new UsageError(`${dir} is no folder; give another one with --dir`)
    throw error
  })
  if (entries.length > 0) throw new UsageError(`${dir} is not empty; give another folder with --dir`)
  for (const [file, text] of Object.entries(pluginFiles(name, ranges()))) {
    const target = path.join(dir, file)
    await addFile(target, text)
  }
  const factory = name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
  console.log(`Created ${dir}. Use it in octavo.config.ts:

  import { ${factory} } from './${dir.replaceAll(path.sep, '/')}/src/index.ts'

  plugins: [${factory}()]`)
}

/** Ranges of packages, from the manifest of this one; exact versions become ranges. */
function ranges(): (name: string) => string {
  const { dependencies, devDependencies } = createRequire(import.meta.url)('@octavo/cli/package.json') as {
    readonly dependencies: Readonly<Record<string, string>>
    readonly devDependencies: Readonly<Record<string, string>>
  }
  return (name) => {
    const range = dependencies[name] ?? devDependencies[name]
    if (range === undefined) throw new Error(`package.json of @octavo/cli has no version of ${name}`)
    return /^\d/.test(range) ? `^${range}` : range
  }
}
