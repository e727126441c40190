import { checkOptions } from '@octavo/core/internal'
import { definePlugin, type Plugin } from '@octavo/core/plugin'
import type {} from '@octavo/server'
import { addExtensionFiles, extensionFolders, extensionPaths, modulesOf } from './extensions/serve.ts'
import { type DeskOptions, optionKeys, readOptions } from './options.ts'
import { addPages, operationsFor } from './pages.ts'

/**
 * The desk: pages at `/desk` on which editors find, write and publish content. It needs the plugin `editors`, whose endpoints below
 * `/desk/api` its pages use.
 *
 *     desk({ title: 'The Reading Room', extensions: './desk' })
 */
export const desk = (options: DeskOptions = {}): Plugin =>
  definePlugin({
    name: 'desk',
    requires: ['editors'],
    setup(host) {
      checkOptions(options, optionKeys, 'desk')
      const given = readOptions(options)
      const folders = host.start((octavo) => extensionFolders(octavo, given.extensions))
      host.hook('server:routes', (routes) => {
        addPages(routes, () => ({ title: given.title, modules: modulesOf(folders()) }))
        addExtensionFiles(routes, folders)
      })
      host.hook('server:describe', () => ({ operations: operationsFor(extensionPaths) }))
    },
  })
