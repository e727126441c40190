/** Imports into the database of the first argument, and is killed when all rows are written and none is committed. */
import { createOctavo } from '@octavo/core'
import { importStrapi, openSource, toDefinitions } from '@octavo/import-strapi'
import { octavoOptions } from '@octavo/server'
import { pluginsOf } from './plugins.ts'

const [, , database = '', archive = ''] = process.argv
const source = await openSource(archive)
const outline = await source.outline()
const definitions = toDefinitions(outline.schemas)
const octavo = await createOctavo(
  octavoOptions({
    contentTypes: definitions.contentTypes,
    components: definitions.components,
    plugins: pluginsOf(definitions, 'unused'),
    database,
  }),
)
await importStrapi(octavo, source, outline, {
  onProgress: (step) => {
    if (step === 'verify') process.kill(process.pid, 'SIGKILL')
  },
})
