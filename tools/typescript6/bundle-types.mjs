/**
 * Writes `dist/bundled.d.ts` of @octavo/client, which the published package has as its types: those of @octavo/core and of the
 * plugins' attributes and parameters are part of it, so that a front end needs neither. Where @octavo/core is installed,
 * the interfaces that projects and plugins extend also have the members that were added there.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'

const packages = fileURLToPath(new URL('../../packages/', import.meta.url))
const core = (file) => join(packages, 'core/dist', file)
const media = 'plugin-upload/dist/content-type/typed-media.d.ts'
/** Declarations that merge into interfaces of core. */
const merging = ['plugin-i18n/dist/typed-locales.d.ts', 'plugin-draft-publish/dist/typed-drafts.d.ts', media]
/** The interfaces that may be extended in a front end. */
const extensible = [
  'RegisteredTypes',
  'AddedAttributes',
  'AddedInput',
  'AddedParameters',
  'AddedChildParameters',
  'AttributeValues',
  'LinkedAttributes',
]

/** Virtual modules: the entry of the bundle, and the parts of core's public surface that it uses. */
const entry = join(packages, 'client/dist/bundle-entry.d.ts')
const ofPrograms = core('bundle-core.d.ts')
const ofPlugins = core('bundle-plugin.d.ts')
const sources = {
  [entry]: [
    ...merging.map((file) => `import '${join(packages, file)}'`),
    `export * from './index.ts'`,
    `export type { ${extensible.join(', ')} } from '@octavo/core'`,
    // The declarations of a program name them, where its functions answer with media.
    `export type { FileAttributes, FileFormat as MediaFormat, FileUse } from '${join(packages, media)}'`,
  ].join('\n'),
  [ofPrograms]: typesOf(readFileSync(core('index.d.ts'), 'utf8')),
  [ofPlugins]: typesOf(readFileSync(core('for-plugins.d.ts'), 'utf8')),
}

const ownPackages = {
  '@octavo/core': ofPrograms,
  '@octavo/core/plugin': ofPlugins,
  '@octavo/database': join(packages, 'database/dist/index.d.ts'),
}

const bundle = await rollup({
  input: entry,
  plugins: [
    {
      name: 'virtual',
      resolveId: (id) => ownPackages[id] ?? (id in sources ? id : undefined),
      load: (id) => sources[id],
    },
    dts({ respectExternal: true }),
  ],
  onwarn: ({ message }) => {
    throw new Error(message)
  },
})
const { output } = await bundle.generate({ format: 'es' })
writeFileSync(join(packages, 'client/dist/bundled.d.ts'), standAlone(output[0].code))

/** The types that the client and the declarations use, by the files of core that export them. */
function typesOf(index) {
  const used = ['entries/', 'content-type/', 'requests.ts']
  const lines = index.match(/^export type \{[^}]*\} from '[^']+'|^export \{[^}]*\} from '[^']+'/gm) ?? []
  return lines.filter((line) => used.some((path) => line.includes(`from './${path}`))).join('\n')
}

/** Merges the declarations for '@octavo/core' into the interfaces of the bundle, which extend those of an installed core. */
function standAlone(code) {
  const merged = code.replaceAll(/^declare module '@octavo\/core' \{\n([\s\S]*?)^\}\n/gm, (_, body) =>
    body.replaceAll(/^ {4}/gm, ''),
  )
  if (/^(?:import|declare module) /m.test(merged)) throw new Error('The bundle refers to another module')
  const linked = extensible.reduce((text, name) => {
    const head = new RegExp(`^interface ${name}(<D>)? \\{`, 'm')
    if (!head.test(text)) throw new Error(`The bundle has no interface ${name}`)
    return text.replace(
      head,
      (_, parameter = '') => `interface ${name}${parameter} extends core.${name}${parameter} {`,
    )
  }, merged)
  return `// @ts-ignore: a front end without @octavo/core has the types of this file only.\nimport type * as core from '@octavo/core'\n\n${linked}`
}
