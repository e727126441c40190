import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { AttributeDefinition, ComponentDefinition, ContentTypeDefinition } from '@octavo/core'
import { ImportError } from '@octavo/core'
import { withPrivate } from './added-attributes.ts'
import type { ProjectDefinitions } from './definitions.ts'

/** A file that the import writes, with its path below the folder. */
export interface WrittenFile {
  readonly path: string
  readonly text: string
}

/**
 * The definitions as files, in the flat form:
 *
 *     content-types/article.json           api::article.article
 *     content-types/comments-comment.json  plugin::comments.comment, with its uid inside
 *     content-types/plugin.menu.menu.json  plugin::menu.menu, where another content-type has that name
 *     components/shared/seo.json           shared.seo
 *     extensions/…/user/schema.json        attributes added to users, if there are any; files alike
 */
export function contentFiles({
  contentTypes,
  components,
  ...added
}: Omit<ProjectDefinitions, 'leftOut'>): readonly WrittenFile[] {
  const nameOf = fileNames(contentTypes)
  return [
    ...contentTypes.map((type) => ({ path: `content-types/${nameOf(type)}.json`, text: textOf(type) })),
    ...components.map(({ uid, ...component }) => ({
      path: `components/${uid.replace('.', '/')}.json`,
      text: textOf(component),
    })),
    ...extension(userSchemaPath, added.userAttributes, added.privateUserAttributes),
    ...extension(fileSchemaPath, added.fileAttributes, added.privateFileAttributes),
  ]
}

/** Paths of the attributes that a project added to users and files, below the folder of the content. */
export const userSchemaPath = 'extensions/users-permissions/content-types/user/schema.json'
export const fileSchemaPath = 'extensions/upload/content-types/file/schema.json'

const extension = (
  path: string,
  attributes: Readonly<Record<string, AttributeDefinition>>,
  privateAttributes: readonly string[],
): readonly WrittenFile[] =>
  Object.keys(attributes).length + privateAttributes.length === 0
    ? []
    : [{ path, text: `${JSON.stringify(withPrivate(attributes, privateAttributes), null, 2)}\n` }]

/** A file for each content-type. Of those with the same short name, one has it, and the others have their uid. */
function fileNames(contentTypes: readonly ContentTypeDefinition[]): (type: ContentTypeDefinition) => string {
  const groups = Map.groupBy(contentTypes, shortName)
  return (type) => {
    const group = groups.get(shortName(type)) ?? []
    const first = group.find(({ uid }) => uid === undefined) ?? group[0]
    return type === first || type.uid === undefined ? shortName(type) : type.uid.replace('::', '.')
  }
}

/** The singular name; with the folder of the API, or the plugin, where that is another. */
function shortName({ uid, info }: ContentTypeDefinition): string {
  const [, folder] = /::([^.]+)\./.exec(uid ?? '') ?? []
  return folder === undefined || folder === info.singularName
    ? String(info.singularName)
    : `${folder}-${info.singularName}`
}

const textOf = (definition: ContentTypeDefinition | Omit<ComponentDefinition, 'uid'>): string =>
  `${JSON.stringify(definition, null, 2)}\n`

/**
 * Refuses to change files that are there and differ.
 * @throws ImportError that names them.
 */
export async function refuseOverwriting(folder: string, files: readonly WrittenFile[]): Promise<void> {
  const differing: string[] = []
  for (const file of files) {
    const target = path.join(folder, file.path)
    const there = await readFile(target, 'utf8').catch(unlessMissing)
    if (there !== undefined && there !== file.text) differing.push(target)
  }
  if (differing.length > 0)
    throw new ImportError(
      differing.map((file) => `${file} is there already and is not what would be written.`),
    )
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
