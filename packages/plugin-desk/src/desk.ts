import { refuseUnknownKeys } from '@octavo/core/internal'
import { definePlugin, type Plugin } from '@octavo/core/plugin'
import type {} from '@octavo/server'
import { type DeskOptions, optionKeys, readOptions } from './options.ts'
import { addPages, pageOperations } from './pages.ts'

/**
 * The desk: pages at `/desk` on which editors find, write and publish content. It needs the plugin `editors`, whose endpoints below
 * `/desk/api` its pages use.
 *
 *     desk({ title: 'The Reading Room' })
 */
export const desk = (options: DeskOptions = {}): Plugin =>
  definePlugin({
    name: 'desk',
    requires: ['editors'],
    setup(host) {
      refuseUnknownKeys(options, optionKeys, 'desk')
      const given = readOptions(options)
      host.hook('server:routes', (routes) => addPages(routes, given))
      host.hook('server:describe', () => ({ operations: pageOperations }))
    },
  })
