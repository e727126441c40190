import { checkOptions, withFurtherAttributes } from '@octavo/core/internal'
import { definePlugin, type Plugin, type PluginHost } from '@octavo/core/plugin'
import { type EntryFileParts, receiveEntryFiles, withEntryFiles } from './arriving/entry-files.ts'
import { Preparer } from './arriving/preparer.ts'
import { defaultImages, isSharpInstalled, PictureService } from './codec/picture-service.ts'
import { fileType, fileUid, ownNames, withUploader } from './content-type/file-type.ts'
import { mediaType } from './content-type/media-type.ts'
import { filesSection } from './content-type/section.ts'
import { Files } from './files/files.ts'
import { Library } from './files/library.ts'
import { Folders } from './folders/folders.ts'
import { foldersSection } from './folders/section.ts'
import { declareFolders } from './folders/table.ts'
import { uploadActions } from './http/actions.ts'
import { describeFiles } from './http/describe.ts'
import { addFolderRoutes } from './http/folder-routes.ts'
import { addRoutes } from './http/routes.ts'
import { addServing } from './http/serve.ts'
import { defaultLimits, optionKeys, type UploadOptions } from './options.ts'
import { LaterFormats } from './pictures/later-formats.ts'
import { Variants } from './pictures/variants.ts'
import { checkedProvider } from './storage/check-provider.ts'
import { prepareFolders } from './storage/folders.ts'
import { localDisk } from './storage/local-disk.ts'
import { namedProvider } from './storage/named-provider.ts'
import type { StorageProvider } from './storage/provider.ts'
import { checkMedia } from './upkeep/check.ts'
import { addFileRemoval } from './upkeep/remove-files.ts'

/**
 * Media: the attribute type `media`, files with their pictures in several sizes, and the routes that receive and serve them.
 * Source: docs/contract/accounts-and-files.md#files.
 *
 *     upload({ provider: localDisk({ folder: 'media' }) })
 */
export const upload = (options: UploadOptions = {}): Plugin =>
  definePlugin({
    name: 'upload',
    guards: 'answers lack their files, and the files of deleted entries stay',
    // Files become part of the input as if the client had named them: rights and locales are applied afterwards.
    before: ['users-permissions', 'i18n'],
    setup(host) {
      checkOptions(options, optionKeys, 'upload')
      const provider = namedProvider(checkedProvider(options.provider ?? localDisk()))
      const limits = { ...defaultLimits, ...options.limits }
      const focal = options.focalPoint ?? false
      const pictures = new PictureService({ ...defaultImages, ...options.images }, limits)
      const preparer = new Preparer(provider, pictures, options)
      const library = new Library(provider)
      const variants = options.variants && new Variants(options.variants, provider, pictures)
      const arriving = {
        fileSize: limits.fileSize,
        files: limits.files,
        idle: limits.idle,
        ...(provider.incoming !== undefined && { directory: provider.incoming }),
      }
      const unlimited = host.unrestricted('it records the formats of files once they are made')

      const precedence = { logger: host.logger, own: ownNames }
      host.contentType(withFurtherAttributes(options.file, (added) => fileType(focal, added), precedence))
      host.hook('definitions:extend', withUploader)
      host.attributeType(mediaType)
      host.actions(() => uploadActions)
      const table = declareFolders(host)

      const running = host.start((octavo) => {
        const files = new Files(octavo, library)
        const later = new LaterFormats({ files, pictures, provider, logger: host.logger, state: unlimited })
        return { octavo, files, later, folders: new Folders(octavo, table) }
      })
      serveFiles(host, provider, running)
      host.hook('octavo:stop', async () => {
        await running().later.close()
        await pictures.close()
      })

      host.section(
        'folders',
        foldersSection(() => running().octavo, table),
      )
      host.section(
        'files',
        filesSection(() => running().octavo),
      )
      host.command('media check', {
        description: 'lists files without rows, rows without files, and uploads that never finished',
        flags: { delete: 'removes files without rows and unfinished uploads, once they are an hour old' },
        run: (octavo, flags, print) =>
          checkMedia({ octavo, files: running().files, provider }, flags.has('delete'), print),
      })

      host.hook('server:routes', (routes) => {
        addRoutes(routes, () => ({ ...running(), preparer, limits: arriving, focal }))
        addFolderRoutes(routes, running)
        addServing(routes, { provider, variants, files: () => running().files })
      })
      host.hook('server:describe', (schemas) => describeFiles(schemas, focal))
      receiveFiles(host, () => ({ ...running(), library, preparer, limits: arriving }))
      addFileRemoval(host, running, library, variants)
    },
  })

/** Prepares the storage for a server: commands use it seldom, and should leave no folder. */
function serveFiles(
  host: PluginHost,
  provider: StorageProvider,
  running: () => { readonly later: LaterFormats },
): void {
  host.hook('server:start', async () => {
    if (!isSharpInstalled()) host.logger.warn({}, withoutSharp)
    await provider.start?.()
    await prepareFolders(provider, host.logger)
    await running().later.resume()
  })
}

/** Files in the bodies of entries: they are stored first, and become part of the input. */
function receiveFiles(
  host: PluginHost,
  parts: () => EntryFileParts & { readonly files: Files; readonly folders: Folders },
): void {
  host.hook(
    'server:files',
    ({ name, type }, state) => type && receiveEntryFiles({ name, type }, state, parts()),
  )
  host.hook(
    'entry:input',
    (input, event) => {
      const { octavo, files } = parts()
      return withEntryFiles(input, event, {
        registry: octavo.registry,
        uploader: files.uploader(event.state),
      })
    },
    { when: ({ state }) => state.entryFiles !== undefined },
  )
  host.hook(
    'entry:input',
    async (input, { entries, id, state }) => {
      const { folders } = parts()
      await folders.moveWith(entries, id, state)
      return { ...input, folderPath: await folders.pathFor(entries, state.intoFolder ?? null) }
    },
    { types: [fileUid], when: ({ state, by }) => by === 'caller' && state.intoFolder !== undefined },
  )
}

const withoutSharp = 'sharp is not installed, so uploads of pictures are refused: npm install sharp'
