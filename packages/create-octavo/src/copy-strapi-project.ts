import { cp, stat } from 'node:fs/promises'
import path from 'node:path'

/** The parts of a Strapi 4 project that Octavo reads, and the code that its owner ports. */
const parts = ['src', 'config', 'database/migrations', 'public']

/** Not copied: code of the admin panel, generated files and installed packages. */
const leftOut: ReadonlySet<string> = new Set(['src/admin', 'node_modules', '.cache', 'build', 'dist'])

/** Copies a Strapi 4 project, until the signal is aborted. `octavo check` lists the copied code that does not run. */
export async function copyStrapiProject(from: string, to: string, signal?: AbortSignal): Promise<void> {
  for (const part of parts) {
    const source = path.join(from, part)
    if (!(await stat(source).catch(() => undefined))) continue
    await cp(source, path.join(to, part), {
      recursive: true,
      filter: (file) => {
        signal?.throwIfAborted()
        const relative = path.relative(from, file).replaceAll(path.sep, '/')
        return !leftOut.has(relative) && !relative.split('/').includes('node_modules')
      },
    })
  }
}
