import path from 'node:path'
import { definePlugin, type EntryInput, type Octavo, type Plugin, type WriteEvent } from '@octavo/core'
import { checkMedia } from './check.ts'
import { fileType, fileUid, mediaType, withUploader } from './content-type.ts'
import { takeEntryFiles, withEntryFiles } from './entry-files.ts'
import { Files, keysIn } from './files.ts'
import { keysOf, Library } from './library.ts'
import { localDisk } from './local-disk.ts'
import { defaultLimits, type UploadOptions } from './options.ts'
import { LaterFormats, refuseOutdated } from './pictures/later-formats.ts'
import { defaultImages, isSharpInstalled, PictureService } from './pictures/picture-service.ts'
import { addRoutes } from './routes.ts'
import { filesSection } from './sections.ts'
import { originals, serve } from './serve.ts'
import { Variants, variantCache } from './variants.ts'

/**
 * Media: the attribute type `media`, files with their pictures in several sizes, and the routes that take and serve them.
 * Source: BEHAVIOUR, "Users, permissions, upload".
 *
 *     upload({ provider: localDisk({ folder: 'media' }) })
 */
export const upload = (options: UploadOptions = {}): Plugin =>
  definePlugin({
    name: 'upload',
    // What is put into an entry is what its sender put there: rights and languages come after.
    before: ['users-permissions', 'i18n'],
    setup(host) {
      const provider = options.provider ?? localDisk()
      const limits = { ...defaultLimits, ...options.limits }
      const pictures = new PictureService({ ...defaultImages, ...options.images }, limits)
      const library = new Library(provider, pictures, options)
      const variants = options.variants && new Variants(options.variants, provider, pictures)
      const arriving = {
        fileSize: limits.fileSize,
        files: limits.files,
        idle: limits.idle,
        ...(provider.incoming !== undefined && { directory: provider.incoming }),
      }
      const itself = host.unrestricted('it records the formats of files once they are made')
      let running: Running | undefined

      host.contentType(fileType(options.focalPoint ?? false))
      host.attributeType(mediaType)
      host.section('files', filesSection)
      host.hook('definitions:extend', withUploader)
      host.hook('octavo:start', async (octavo) => {
        if (!isSharpInstalled())
          host.logger.warn(
            {},
            'sharp is not installed, so uploads of pictures are refused: npm install sharp',
          )
        await provider.start?.()
        const files = new Files(octavo, library)
        const later = new LaterFormats({
          octavo,
          files,
          library,
          pictures,
          provider,
          logger: host.logger,
          state: itself,
        })
        running = { octavo, files, later }
        await later.resume()
      })
      host.hook('octavo:stop', async () => {
        await running?.later.close()
        await pictures.close()
      })
      host.hook('server:state', (context) =>
        context.is('multipart') ? { uploadAddress: context.ip } : undefined,
      )
      host.hook('server:routes', (routes) => {
        if (!running) return
        const { octavo, files } = running
        addRoutes(routes, { octavo, files, library, limits: arriving, focal: options.focalPoint ?? false })
        if (provider.serving || variants)
          routes.add({
            method: 'GET',
            path: '/uploads/:name',
            root: true,
            handler: async (context) => {
              const { name = '' } = context.params
              const { w, h, format } = context.query
              const isVariant = variants && (w ?? h ?? format) !== undefined
              const key = isVariant
                ? await variants.keyOf(name, { w, h, format }, files, `address ${context.ip}`)
                : name
              await serve(context, key, provider, isVariant ? variantCache : originals)
            },
          })
      })
      host.command('media check', {
        description: 'lists files without rows, rows without files, and uploads that never finished',
        flags: { delete: 'removes files without rows and unfinished uploads, once they are an hour old' },
        run: (octavo, flags, print) => checkMedia(octavo, provider, flags.has('delete'), print),
      })

      host.hook('server:files', ({ name, type }, state) =>
        type && running
          ? takeEntryFiles({ name, type }, state, { octavo: running.octavo, library, limits: arriving })
          : undefined,
      )
      host.hook('entry:input', (input, event) =>
        running
          ? withEntryFiles(input, event, {
              registry: running.octavo.registry,
              uploader: running.files.uploader(event.state),
            })
          : input,
      )

      // A row that is deleted, or that refers to other files than before, takes its files with it after the commit.
      const former = new WeakMap<EntryInput, readonly string[]>()
      const remember = async ({ type, id, input, entries }: WriteEvent): Promise<void> => {
        if (type.uid === fileUid && id !== undefined) former.set(input, await keysIn(entries, id))
      }
      host.hook('entry:beforeUpdate', refuseOutdated)
      host.hook('entry:beforeUpdate', remember)
      host.hook('entry:beforeDelete', remember)
      host.hook('entry:committed', async ({ action, type, id, input }) => {
        if (type.uid !== fileUid || id === undefined || !running) return
        if (action !== 'delete' && typeof input.pendingFormats === 'string') running.later.add(id)
        const keys = former.get(input)
        if (!keys) return
        const now = action === 'delete' ? [] : keysOf(await running.files.storedAs(id))
        await library.discard(keys.filter((key) => !now.includes(key)))
        const [original = ''] = keys
        await variants?.discard(path.basename(original, path.extname(original)))
      })
    },
  })

/** The parts that exist once the plugin has started. */
interface Running {
  readonly octavo: Octavo
  readonly files: Files
  readonly later: LaterFormats
}
