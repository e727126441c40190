/** The schema, compared with the one that the reference prints for the same content. */
import { readFile } from 'node:fs/promises'
import { buildSchema, lexicographicSortSchema, printSchema } from 'graphql'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { printedSchema } from '../src/schema/printed.ts'
import { schemaText } from '../src/schema/schema-text.ts'
import { conformance, type RecordedServer, recordedServer } from './recorded.ts'

let running: RecordedServer
beforeAll(async () => {
  running = await recordedServer()
})
afterAll(() => running.close())

it('The schema is that of the reference, except for the differences in docs/graphql.md', async () => {
  const own = lines(printedSchema(schemaText(running.server.octavo)))
  const reference = lines(await readFile(`${conformance}graphql/reference.graphql`, 'utf8'))
  const differences = [
    ...reference.filter((line) => !own.includes(line)).map((line) => `- ${line}`),
    ...own.filter((line) => !reference.includes(line)).map((line) => `+ ${line}`),
  ]
  expect(differences).toMatchInlineSnapshot(`
    [
      "- union GenericMorph = Article | Author | Category | ComponentBlocksGallery | ComponentBlocksHero | ComponentBlocksQuote | ComponentSharedAddress | ComponentSharedCountry | ComponentSharedHours | ComponentSharedKeyword | ComponentSharedLink | ComponentSharedSeo | ComponentSharedSocial | Homepage | I18NLocale | Product | Profile | Restaurant | Tag | UploadFile | UploadFolder | UsersPermissionsPermission | UsersPermissionsRole | UsersPermissionsUser",
      "- Mutation.createUploadFolder(data: UploadFolderInput!): UploadFolderEntityResponse",
      "- Mutation.deleteUploadFolder(id: ID!): UploadFolderEntityResponse",
      "- Mutation.updateUploadFolder(data: UploadFolderInput!, id: ID!): UploadFolderEntityResponse",
      "- Query.uploadFolder(id: ID): UploadFolderEntityResponse",
      "- Query.uploadFolders(filters: UploadFolderFiltersInput, pagination: PaginationArg = {}, sort: [String] = []): UploadFolderEntityResponseCollection",
      "- UploadFile.related: [GenericMorph]",
      "- UploadFileFiltersInput.folder: UploadFolderFiltersInput",
      "- UploadFileInput.folder: ID",
      "- type UploadFolder",
      "- UploadFolder.children(filters: UploadFolderFiltersInput, pagination: PaginationArg = {}, sort: [String] = []): UploadFolderRelationResponseCollection",
      "- UploadFolder.createdAt: DateTime",
      "- UploadFolder.files(filters: UploadFileFiltersInput, pagination: PaginationArg = {}, sort: [String] = []): UploadFileRelationResponseCollection",
      "- UploadFolder.name: String!",
      "- UploadFolder.parent: UploadFolderEntityResponse",
      "- UploadFolder.path: String!",
      "- UploadFolder.pathId: Int!",
      "- UploadFolder.updatedAt: DateTime",
      "- type UploadFolderEntity",
      "- UploadFolderEntity.attributes: UploadFolder",
      "- UploadFolderEntity.id: ID",
      "- type UploadFolderEntityResponse",
      "- UploadFolderEntityResponse.data: UploadFolderEntity",
      "- type UploadFolderEntityResponseCollection",
      "- UploadFolderEntityResponseCollection.data: [UploadFolderEntity!]!",
      "- UploadFolderEntityResponseCollection.meta: ResponseCollectionMeta!",
      "- input UploadFolderFiltersInput",
      "- UploadFolderFiltersInput.and: [UploadFolderFiltersInput]",
      "- UploadFolderFiltersInput.children: UploadFolderFiltersInput",
      "- UploadFolderFiltersInput.createdAt: DateTimeFilterInput",
      "- UploadFolderFiltersInput.files: UploadFileFiltersInput",
      "- UploadFolderFiltersInput.id: IDFilterInput",
      "- UploadFolderFiltersInput.name: StringFilterInput",
      "- UploadFolderFiltersInput.not: UploadFolderFiltersInput",
      "- UploadFolderFiltersInput.or: [UploadFolderFiltersInput]",
      "- UploadFolderFiltersInput.parent: UploadFolderFiltersInput",
      "- UploadFolderFiltersInput.path: StringFilterInput",
      "- UploadFolderFiltersInput.pathId: IntFilterInput",
      "- UploadFolderFiltersInput.updatedAt: DateTimeFilterInput",
      "- input UploadFolderInput",
      "- UploadFolderInput.children: [ID]",
      "- UploadFolderInput.files: [ID]",
      "- UploadFolderInput.name: String",
      "- UploadFolderInput.parent: ID",
      "- UploadFolderInput.path: String",
      "- UploadFolderInput.pathId: Int",
      "- type UploadFolderRelationResponseCollection",
      "- UploadFolderRelationResponseCollection.data: [UploadFolderEntity!]!",
      "- type UsersPermissionsPermission",
      "- UsersPermissionsPermission.action: String!",
      "- UsersPermissionsPermission.createdAt: DateTime",
      "- UsersPermissionsPermission.role: UsersPermissionsRoleEntityResponse",
      "- UsersPermissionsPermission.updatedAt: DateTime",
      "- type UsersPermissionsPermissionEntity",
      "- UsersPermissionsPermissionEntity.attributes: UsersPermissionsPermission",
      "- UsersPermissionsPermissionEntity.id: ID",
      "- type UsersPermissionsPermissionRelationResponseCollection",
      "- UsersPermissionsPermissionRelationResponseCollection.data: [UsersPermissionsPermissionEntity!]!",
      "- UsersPermissionsRole.permissions(filters: UsersPermissionsPermissionFiltersInput, pagination: PaginationArg = {}, sort: [String] = []): UsersPermissionsPermissionRelationResponseCollection",
      "- UsersPermissionsRole.users(filters: UsersPermissionsUserFiltersInput, pagination: PaginationArg = {}, sort: [String] = []): UsersPermissionsUserRelationResponseCollection",
      "- type UsersPermissionsUserRelationResponseCollection",
      "- UsersPermissionsUserRelationResponseCollection.data: [UsersPermissionsUserEntity!]!",
    ]
  `)
})

/** Each definition and each of its fields, with the name of the definition. */
function lines(text: string): readonly string[] {
  let name = ''
  return printSchema(lexicographicSortSchema(buildSchema(text)))
    .split('\n')
    .flatMap((line) => {
      const head = /^(?:type|input|enum|union|scalar) (\w+)/.exec(line)
      if (head?.[1] !== undefined) name = head[1]
      if (line === '' || line === '}') return []
      return [line.startsWith(' ') ? `${name}.${line.trim()}` : line.replace(/ \{$/, '')]
    })
}
