import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Logger } from '@octavo/core'
import { localDisk } from '@octavo/plugin-upload'
import type { Server, ServerOptions } from '@octavo/server'
import { builtInPlugins } from '../built-in-plugins.ts'

/** An archive that is served from memory. */
export interface Preview {
  readonly options: ServerOptions
  /** Imports the archive into the server that was created with `options`. */
  fill(server: Server): Promise<void>
}

/**
 * `octavo start --from export.tar.gz`: a preview of a Strapi 4 project. Nothing is persisted: the database is in memory, and the
 * files are in a temporary folder.
 */
export async function previewOf(archive: string, key: string | undefined, logger: Logger): Promise<Preview> {
  const { addedAttributes, copyFiles, importStrapi, openSource, toDefinitions } = await import(
    '@octavo/import-strapi'
  )
  const source = await openSource(archive, key === undefined ? {} : { key })
  // A look at a project must not call the servers that its webhooks lead to.
  const outline = { ...(await source.outline()), webhooks: [] }
  const project = toDefinitions(outline.schemas)
  const { contentTypes, components } = project
  const { user, file } = addedAttributes(project)
  const folder = mkdtempSync(path.join(tmpdir(), 'octavo-preview-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const plugins = await builtInPlugins({
    // An archive has no administrators, and nothing is kept.
    editors: false,
    usersPermissions: { user },
    upload: { provider: localDisk({ folder }), file },
  })
  return {
    options: { contentTypes, components, plugins, database: 'memory://', logger },
    fill: async ({ octavo }) => {
      await copyFiles(source, folder)
      // The preview skips invalid entries; `octavo import strapi` reports them.
      await importStrapi(octavo, source, outline, { skipInvalid: true })
      await source.close()
    },
  }
}
