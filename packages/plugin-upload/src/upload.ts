import path from 'node:path'
import { definePlugin, type EntryInput, type Octavo, type Plugin, type WriteEvent } from '@octavo/core'
import { checkMedia } from './check.ts'
import { fileType, fileUid, mediaType } from './content-type.ts'
import { takeEntryFiles, withEntryFiles } from './entry-files.ts'
import { Files, keysIn } from './files.ts'
import { defaultImages, ImageWorks } from './images.ts'
import { keysOf, Library } from './library.ts'
import { localDisk } from './local-disk.ts'
import { defaultLimits, type UploadOptions } from './options.ts'
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
      const images = new ImageWorks({ ...defaultImages, ...options.images }, limits.pixels)
      const library = new Library(provider, images, options)
      const variants = options.variants && new Variants(options.variants, provider, images)
      const arriving = {
        fileSize: limits.fileSize,
        files: limits.files,
        idle: limits.idle,
        ...(provider.incoming !== undefined && { directory: provider.incoming }),
      }
      let running: { readonly octavo: Octavo; readonly files: Files } | undefined

      host.contentType(fileType(options.focalPoint ?? false))
      host.attributeType(mediaType)
      host.section('files', filesSection)
      host.hook('octavo:start', async (octavo) => {
        await provider.start?.()
        running = { octavo, files: new Files(octavo, library) }
      })
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
              const key = isVariant ? await variants.keyOf(name, { w, h, format }, files) : name
              await serve(context, key, provider, isVariant ? variantCache : originals)
            },
          })
      })
      host.command('media check', {
        description: 'lists files without rows and rows without files',
        flags: { delete: 'removes the files without rows' },
        run: (octavo, flags, print) => checkMedia(octavo, provider, flags.has('delete'), print),
      })

      host.hook('server:files', ({ type }) => type && takeEntryFiles(type, library, arriving))
      host.hook('entry:input', (input, event) =>
        running ? withEntryFiles(input, event, running.octavo.registry) : input,
      )

      // A row that goes, or that tells of other files than before, takes its files with it: when that is certain.
      const former = new WeakMap<EntryInput, readonly string[]>()
      const remember = async ({ type, id, input, entries }: WriteEvent): Promise<void> => {
        if (type.uid === fileUid && id !== undefined) former.set(input, await keysIn(entries, id))
      }
      host.hook('entry:beforeUpdate', remember)
      host.hook('entry:beforeDelete', remember)
      host.hook('entry:committed', async ({ action, type, id, input }) => {
        const keys = former.get(input)
        if (!keys || type.uid !== fileUid || id === undefined) return
        const now =
          action === 'delete' ? [] : keysOf(await (running as NonNullable<typeof running>).files.storedAs(id))
        await library.discard(keys.filter((key) => !now.includes(key)))
        const [original = ''] = keys
        await variants?.discard(path.basename(original, path.extname(original)))
      })
    },
  })
