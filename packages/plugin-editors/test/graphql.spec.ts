/** GraphQL beside the desk: the schema has neither editors nor the creators of entries, unless a content-type shows them. */
import { draftPublish } from '@octavo/plugin-draft-publish'
import { graphql } from '@octavo/plugin-graphql'
import { i18n } from '@octavo/plugin-i18n'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { afterEach, expect, it } from 'vitest'
import { editors } from '../src/index.ts'
import { type DeskSite, openDesk } from './desk.ts'

let site: DeskSite
afterEach(() => site?.close())

const category = {
  kind: 'collectionType',
  info: { singularName: 'category', pluralName: 'categories' },
  attributes: { name: { type: 'string' } },
} as const
const shown = { ...category, options: { populateCreatorFields: true } } as const
const uid = 'api::category.category'

async function open(type: typeof category, permissions: readonly string[]): Promise<DeskSite> {
  const desk = await openDesk(
    {},
    {
      contentTypes: [type],
      plugins: [
        i18n(),
        draftPublish(),
        usersPermissions({ permissions: { public: [`${uid}.find`, `${uid}.create`, ...permissions] } }),
        editors(),
        graphql(),
      ],
    },
  )
  const ada = await desk.person('ada@example.org')
  await ada.post('content/categories', { data: { name: 'Novels' } })
  return desk
}

const send = async (query: string) => (await site.visitor().post('/graphql', { query })).body

/** The names of the fields of a type; empty without the type. */
async function fieldsOf(type: string): Promise<readonly string[]> {
  const { data } = await send(`{ __type(name: "${type}") { fields { name } inputFields { name } } }`)
  const { fields, inputFields } = data.__type ?? {}
  return (fields ?? inputFields ?? []).map(({ name }: { readonly name: string }) => name)
}

it('The schema of GraphQL has no name of editors, and no creators in entries, inputs and filters', async () => {
  site = await open(category, [])
  const { data } = await send('{ __schema { types { name } } }')
  const names: readonly string[] = data.__schema.types.map(({ name }: { readonly name: string }) => name)
  expect(names).toContain('Category')
  expect(names.filter((name) => /Editor/i.test(name))).toEqual([])
  for (const type of ['Category', 'CategoryInput', 'CategoryFiltersInput'])
    expect((await fieldsOf(type)).filter((name) => /edBy/.test(name))).toEqual([])
  for (const query of [
    '{ categories { data { attributes { createdBy { data { id } } } } } }',
    '{ categories(filters: { createdBy: { id: { eq: 1 } } }) { data { id } } }',
    '{ categories(filters: { createdByCaller: { eq: "editor 1" } }) { data { id } } }',
    'mutation { createCategory(data: { name: "x", createdBy: 1 }) { data { id } } }',
    '{ editorsDeskEditors { data { id } } }',
  ])
    expect([query, (await send(query)).errors?.[0].extensions.code]).toEqual([
      query,
      'GRAPHQL_VALIDATION_FAILED',
    ])
  // A sort is a text, which the schema does not check.
  for (const term of ['createdBy.email', 'createdByCaller'])
    expect((await send(`{ categories(sort: "${term}") { data { id } } }`)).errors[0].extensions.code).toBe(
      'BAD_USER_INPUT',
    )
})

it('The schema of GraphQL has the creators of a content-type that shows them, for callers who may find editors', async () => {
  const query =
    '{ categories { data { attributes { name createdBy { data { id attributes { firstname } } } } } } }'
  site = await open(shown, [])
  const hidden = await send(query)
  expect(hidden.data.categories.data).toEqual([{ attributes: { name: 'Novels', createdBy: { data: null } } }])
  await site.close()

  site = await open(shown, ['plugin::editors.editor.find'])
  const { data } = await send(query)
  expect(data.categories.data[0].attributes.createdBy).toEqual({
    data: { id: '1', attributes: { firstname: 'Ada' } },
  })
  expect(await fieldsOf('CategoryInput')).toEqual(['name'])
  expect(await fieldsOf('EditorsDeskEditor')).toEqual(['firstname', 'lastname', 'createdAt', 'updatedAt'])
})
