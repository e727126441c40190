import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { LoadedContentTypes } from '@octavo/core'
import { findModule } from '../code/source-file.ts'
import { codeHints } from './code-hints.ts'
import { about } from './find-code.ts'
import type { Finding } from './finding.ts'
import { entriesIn, filesBelow, foldersIn, moduleName, modulesBelow } from './folder.ts'
import {
  customFieldTypes,
  isCovered,
  isThirdParty,
  packageMessage,
  providerMessage,
} from './known-plugins.ts'
import { strapiVersion } from './other-versions.ts'

/** The version of Strapi, definitions in code, extensions, plugins, custom fields, cron tasks, migrations, changes of the administration and of packages, and public files. */
export function findOthers(root: string, loaded: LoadedContentTypes): readonly Finding[] {
  return [
    ...laterVersion(root),
    ...definitionsInCode(root),
    ...extensionsOf(root),
    ...packagesOf(root),
    ...localPlugins(root),
    ...customFields(loaded),
    ...cronTasks(root),
    ...migrations(root),
    ...administration(root),
    ...patches(root),
    ...publicFiles(root),
  ]
}

/** Definitions of Strapi 5 can be read, and everything that its clients send and expect is other than that of Strapi 4. */
function laterVersion(root: string): readonly Finding[] {
  const { major = 4, from = '' } = strapiVersion(root) ?? {}
  if (major < 5) return []
  const message = `a project of Strapi ${major} (${from}), whose clients read other answers than those of Strapi 4, which Octavo gives`
  return [{ kind: 'version', file: 'package.json', message }]
}

/** Content-types and components that are modules, which Strapi runs in place of reading a file of JSON. */
function definitionsInCode(root: string): readonly Finding[] {
  const contentTypes = foldersIn(root, 'src/api')
    .flatMap((api) => modulesBelow(root, `${api}/content-types`))
    .filter((file) => moduleName(file) === 'schema')
  const components = foldersIn(root, 'src/components').flatMap((category) =>
    modulesBelow(root, category).filter((file) => path.posix.dirname(file) === category),
  )
  return [
    ...contentTypes.map((file) => inCode(file, 'a content-type')),
    ...components.map((file) => inCode(file, 'a component')),
  ]
}

const inCode = (file: string, what: string): Finding => {
  const name = path.posix.basename(file).replace(/\.[^.]+$/, '.json')
  return { kind: 'definition', file, message: `${what} in code, which is not run; write it as ${name}` }
}

/** Content-types whose additional attributes are supported. */
const extended =
  /^src\/extensions\/(?:users-permissions\/content-types\/user|upload\/content-types\/file)\/schema\.json$/

/** The files that the plugin documentation writes into `src/extensions/<plugin>/documentation` from the content-types. */
const generated = /^src\/extensions\/[^/]+\/documentation\/\d/

function extensionsOf(root: string): readonly Finding[] {
  return foldersIn(root, 'src/extensions').flatMap((folder) => {
    const code = modulesBelow(root, folder)
    const schemas = filesBelow(root, folder).filter(
      (file) => file.endsWith('.json') && !extended.test(file) && !generated.test(file),
    )
    const plugin = path.posix.basename(folder)
    return [
      ...code.flatMap((file) =>
        about(root, file, 'extension', ({ program }) => {
          const hints = codeHints(program)
          return `the plugin ${plugin} is changed by ${moduleName(file)}${hints === '' ? '' : `; it ${hints}`}`
        }),
      ),
      ...schemas.map(
        (file): Finding => ({ kind: 'extension', file, message: `the plugin ${plugin} is changed` }),
      ),
    ]
  })
}

function packagesOf(root: string): readonly Finding[] {
  const file = 'package.json'
  if (!existsSync(path.join(root, file))) return []
  let manifest: { readonly dependencies?: unknown } | null
  try {
    manifest = JSON.parse(readFileSync(path.join(root, file), 'utf8')) as typeof manifest
  } catch (error) {
    return [{ kind: 'plugin', file, message: `it cannot be read: ${(error as Error).message}` }]
  }
  return Object.keys(manifest?.dependencies ?? {}).flatMap((name): readonly Finding[] => {
    const provider = providerMessage(name)
    if (provider !== undefined) return [{ kind: 'provider', file, message: provider }]
    return isThirdParty(name) || isInstalledPlugin(root, name)
      ? [{ kind: 'plugin', file, message: packageMessage(name) }]
      : []
  })
}

/** Whether a dependency is a plugin by its own manifest, by which Strapi finds plugins. */
function isInstalledPlugin(root: string, name: string): boolean {
  if (isCovered(name)) return false
  try {
    const text = readFileSync(path.join(root, 'node_modules', name, 'package.json'), 'utf8')
    const { strapi } = JSON.parse(text) as { readonly strapi?: { readonly kind?: unknown } }
    return strapi?.kind === 'plugin'
  } catch {
    // Its manifest is not here, as before the installation: the name decides.
    return false
  }
}

const localPlugins = (root: string): readonly Finding[] =>
  foldersIn(root, 'src/plugins').map((folder) => {
    const types = foldersIn(root, `${folder}/server/content-types`).map((type) => path.posix.basename(type))
    const which =
      types.length === 0 ? '' : `, with content-types (${types.join(', ')}), which only an import brings`
    const message = `the project's own plugin ${path.posix.basename(folder)}${which}`
    return { kind: 'plugin', file: folder, message }
  })

/** Changes of packages, which `patch-package` and the like make after each installation. */
const patches = (root: string): readonly Finding[] =>
  ['patches', '.yarn/patches'].flatMap((folder) =>
    filesBelow(root, folder)
      .filter((file) => file.endsWith('.patch'))
      .map((file) => ({
        kind: 'extension',
        file,
        message: 'a change of a package, which does not apply here',
      })),
  )

/** Files that Strapi serves beside the uploads. Its own `robots.txt` has comments only, which do nothing. */
const publicFiles = (root: string): readonly Finding[] =>
  entriesIn(root, 'public')
    .filter(({ name }) => name !== 'uploads' && !(name === 'robots.txt' && isOnlyComments(root)))
    .map(({ name }) => ({
      kind: 'middleware',
      file: `public/${name}`,
      message: `Strapi serves it at /${name}, and Octavo does not`,
    }))

const isOnlyComments = (root: string): boolean =>
  readFileSync(path.join(root, 'public/robots.txt'), 'utf8')
    .split('\n')
    .every((line) => /^\s*(?:#|$)/.test(line))

/** By definition; the registry's warning has the attributes. */
function customFields({
  contentTypes,
  components,
  extensions,
  sources,
}: LoadedContentTypes): readonly Finding[] {
  return [...contentTypes, ...components, ...extensions].flatMap(({ uid = '', attributes }) => {
    const messages = Object.values(attributes ?? {}).flatMap((attribute): readonly string[] => {
      // The content of a file is unchecked.
      const { customField, type } = (attribute ?? {}) as {
        readonly customField?: unknown
        readonly type?: unknown
      }
      if (type !== 'customField' && typeof customField !== 'string') return []
      const field = typeof customField === 'string' ? customField : 'without a name'
      const base = type === 'customField' ? (customFieldTypes[field] ?? 'string') : String(type)
      return [`the custom field ${field} is treated as ${base}`]
    })
    const file = sources.get(uid) ?? uid
    return [...new Set(messages)].map((message): Finding => ({ kind: 'custom-field', file, message }))
  })
}

function cronTasks(root: string): readonly Finding[] {
  const file = findModule(root, 'config/cron-tasks')
  return file === undefined
    ? []
    : about(root, file, 'cron', ({ program }) => {
        const hints = codeHints(program)
        return `tasks that run by the clock${hints === '' ? '' : `; the code ${hints}`}`
      })
}

const migrations = (root: string): readonly Finding[] =>
  foldersIn(root, 'database')
    .filter((folder) => path.posix.basename(folder) === 'migrations')
    .flatMap((folder) => modulesBelow(root, folder))
    .map((file) => ({
      kind: 'migration',
      file,
      message: 'a migration of the database',
    }))

const administration = (root: string): readonly Finding[] =>
  entriesIn(root, 'src/admin')
    .filter(({ name }) => /^(?:app|webpack\.config|vite\.config)\.[jt]sx?$/.test(name))
    .map(({ name }) => ({
      kind: 'administration',
      file: `src/admin/${name}`,
      message: 'the administration panel is changed',
    }))
