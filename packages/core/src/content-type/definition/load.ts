import { type Dirent, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { isObject } from '../../kinds-of-values.ts'
import type { AttributeDefinition, ComponentDefinition, ContentTypeDefinition } from './definition.ts'
import { DefinitionError, type LocatedMistake } from './definition-error.ts'
import { readJsonFile } from './json-file.ts'
import { withSource } from './source.ts'

export interface LoadedContentTypes {
  readonly contentTypes: readonly ContentTypeDefinition[]
  readonly components: readonly ComponentDefinition[]
  /** Extensions of plugins' content-types in an existing project: `src/extensions/<plugin>/content-types/<type>/schema.json`. */
  readonly extensions: readonly ContentTypeExtension[]
  /** Uid to its file, relative to the loaded folder. */
  readonly sources: ReadonlyMap<string, string>
}

/** A project's definition of a plugin's content-type, as in its file, with the plugin's and additional attributes. */
export interface ContentTypeExtension {
  /** `plugin::users-permissions.user` */
  readonly uid: string
  readonly attributes?: Readonly<Record<string, AttributeDefinition>>
  readonly [key: string]: unknown
}

/**
 * Loads the definitions of a folder, in the order of their names. Both layouts are detected:
 *
 *     content-types/article.json                           → uid in the file, or api::article.article
 *     components/shared/seo.json                           → shared.seo
 *
 *     src/api/blog/content-types/article/schema.json       → api::blog.article, with both names in kebab-case
 *     src/components/shared/seo.json                       → shared.seo
 *     src/extensions/users-permissions/content-types/user/schema.json → plugin::users-permissions.user, in `extensions`
 *
 * The second layout is an existing project; its `src` may be given too. Files are read synchronously, once
 * at start. Definitions are validated when the registry is built.
 *
 * @param dir A folder, relative to the working directory or absolute.
 * @throws DefinitionError when the folder has neither layout, or a file is not a JSON object; names line and column.
 */
export function loadContentTypes(dir: string): LoadedContentTypes {
  const reader = new FolderReader(dir)
  const form = forms.find(({ folder }) => reader.list(folder) !== undefined)
  if (!form) {
    const folders = forms.map(({ folder }) => folder).join(', ')
    const found = statSync(dir, { throwIfNoEntry: false })
    const message = !found
      ? 'there is no such folder'
      : found.isDirectory()
        ? `has no definitions: there is none of ${folders} in it`
        : `is a file; name the folder with one of ${folders} in it`
    throw new DefinitionError([{ source: dir, path: '', message }])
  }
  const contentTypes = form.contentTypes(reader)
  const components = reader.below(form.components).flatMap((category) =>
    reader.files(category).flatMap((file) => {
      const uid = `${path.posix.basename(category)}.${path.posix.basename(file, '.json')}`
      return reader.read<ComponentDefinition>(file, () => ({ uid }))
    }),
  )
  const extensions = form.extensions?.(reader) ?? []
  reader.throwIfAny()
  return Object.freeze({
    contentTypes: Object.freeze(contentTypes.map(({ definition }) => definition)),
    components: Object.freeze(components.map(({ definition }) => definition)),
    extensions: Object.freeze(extensions.map(({ definition }) => definition)),
    sources: new Map(
      [...contentTypes, ...components, ...extensions].map(({ definition, file }) => [
        String(definition.uid),
        file,
      ]),
    ),
  })
}

interface Loaded<D> {
  readonly definition: D
  readonly file: string
}

interface Form {
  /** The folder that identifies the layout. */
  readonly folder: string
  readonly components: string
  readonly contentTypes: (reader: FolderReader) => readonly Loaded<ContentTypeDefinition>[]
  readonly extensions?: (reader: FolderReader) => readonly Loaded<ContentTypeExtension>[]
}

const project = (src: string): Form => ({
  folder: `${src}api`,
  components: `${src}components`,
  contentTypes: (reader) => schemasOf<ContentTypeDefinition>(reader, `${src}api`, 'api'),
  extensions: (reader) => schemasOf<ContentTypeExtension>(reader, `${src}extensions`, 'plugin'),
})

/** `<folder>/<group>/content-types/<type>/schema.json` */
const schemasOf = <D extends object>(
  reader: FolderReader,
  folder: string,
  namespace: 'api' | 'plugin',
): readonly Loaded<D>[] =>
  reader.below(folder).flatMap((group) =>
    reader.below(`${group}/content-types`).flatMap((type) => {
      const file = `${type}/schema.json`
      if (!reader.has(file)) return []
      const names = [group, type].map((one) => path.posix.basename(one))
      const uid = `${namespace}::${(namespace === 'api' ? names.map(inKebabCase) : names).join('.')}`
      return reader.read<D>(file, () => ({ uid }))
    }),
  )

/**
 * The name of a folder of `src/api` in a uid: `shop-item` for `shop_item`, and `faq-page` for `FAQPage`.
 * Source: Strapi 4.26, `normalizeName` of the loader of APIs.
 */
export const inKebabCase = (name: string): string =>
  /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name)
    ? name
    : (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [name]).join('-').toLowerCase()

const forms: readonly Form[] = [
  {
    folder: 'content-types',
    components: 'components',
    contentTypes: (reader) =>
      reader
        .files('content-types')
        .flatMap((file) =>
          reader.read<ContentTypeDefinition>(file, (given) =>
            given.uid === undefined ? defaultUid(given) : {},
          ),
        ),
  },
  project('src/'),
  project(''),
]

/** `undefined` without a name: the registry reports the mistake. */
function defaultUid({ info }: Readonly<Record<string, unknown>>): { readonly uid?: string } {
  const name =
    typeof info === 'object' && info !== null && 'singularName' in info ? info.singularName : undefined
  return typeof name === 'string' ? { uid: `api::${name}.${name}` } : {}
}

/** Reads files below one folder and collects mistakes. Paths within it have slashes everywhere. */
class FolderReader {
  readonly #root: string
  readonly #mistakes: LocatedMistake[] = []

  constructor(root: string) {
    this.#root = root
  }

  /** The entries of a folder by name; `undefined` when it does not exist. */
  list(folder: string): readonly Dirent[] | undefined {
    try {
      const entries = readdirSync(path.join(this.#root, folder), { withFileTypes: true })
      return entries.filter(({ name }) => !name.startsWith('.')).sort((a, b) => (a.name < b.name ? -1 : 1))
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }

  files(folder: string): readonly string[] {
    return (this.list(folder) ?? [])
      .filter((entry) => !entry.isDirectory() && entry.name.endsWith('.json'))
      .map(({ name }) => `${folder}/${name}`)
  }

  below(folder: string): readonly string[] {
    return (this.list(folder) ?? []).filter((entry) => !entry.isFile()).map(({ name }) => `${folder}/${name}`)
  }

  has(file: string): boolean {
    const name = path.posix.basename(file)
    return (this.list(path.posix.dirname(file)) ?? []).some((entry) => entry.name === name)
  }

  /** The definition in a file, completed from its path; `undefined`, with a mistake, when it is invalid. */
  read<D extends object>(
    file: string,
    fromPlace: (given: Readonly<Record<string, unknown>>) => object,
  ): readonly Loaded<D>[] {
    const read = readJsonFile(path.join(this.#root, file))
    if ('mistake' in read) return this.#refused(file, read.mistake)
    const { value } = read
    if (!isObject(value)) return this.#refused(file, 'must hold an object')
    // Safe: the registry validates the definition.
    return [
      {
        definition: withSource({ ...value, ...fromPlace(value as Record<string, unknown>) }, file) as D,
        file,
      },
    ]
  }

  #refused(file: string, message: string): readonly [] {
    this.#mistakes.push({ source: file, path: '', message })
    return []
  }

  throwIfAny(): void {
    if (this.#mistakes.length > 0) throw new DefinitionError(this.#mistakes)
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
