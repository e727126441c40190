/** Components that all locales of an entry share, of which an editor may write a part. */
import type { ContentTypeDefinition } from '@octavo/core'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { afterEach, expect, it } from 'vitest'
import { type DeskSite, openDesk } from './desk.ts'

let site: DeskSite
afterEach(() => site?.close())

const uid = 'api::page.page'
const page: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'page', pluralName: 'pages' },
  pluginOptions: { i18n: { localized: true } },
  attributes: {
    title: { type: 'string', pluginOptions: { i18n: { localized: true } } },
    seo: { type: 'component', component: 'shared.seo' },
    links: { type: 'component', component: 'shared.seo', repeatable: true },
  },
}

it('is changed in that part, in each locale that the editor may change it in', async () => {
  site = await openDesk({}, { contentTypes: [page], plugins: [usersPermissions()] })
  const ada = await site.person('ada@example.org')
  const seo = { title: 'a', text: 'kept' }
  await ada.post('content/pages', { data: { title: 'En', seo, links: [seo, seo] } })
  await ada.post('content/pages/1/localizations', { title: 'Fr', locale: 'fr' })
  const shared = async (id: number) => {
    const { attributes } = (await ada.get(`content/pages/${id}?populate=seo,links`)).body.data
    const part = ({ title, text }: typeof seo) => `${title} ${text}`
    return [attributes.seo, ...attributes.links].map(part)
  }
  expect(await shared(2)).toEqual(['a kept', 'a kept', 'a kept'])
  const read = { action: 'read', type: uid } as const
  const update = { action: 'update', type: uid } as const
  const bob = await site.hire('bob', [read, { ...update, fields: ['seo.title', 'links.title'] }])
  const stored = (await bob.get('content/pages/1?populate=links')).body.data.attributes.links
  const [first, second] = stored.map(({ id }: { id: number }) => ({ id }))
  const data = { seo: { title: 'b' }, links: [{ ...second, title: 'c' }, first] }
  expect((await bob.put('content/pages/1', { data })).status).toBe(200)
  for (const id of [1, 2]) expect(await shared(id)).toEqual(['b kept', 'c kept', 'a kept'])
  // One who may write it in English only, and one who may write another part.
  const eve = await site.hire('eve', [read, { ...update, fields: ['seo.title'], locales: ['en'] }])
  expect((await eve.put('content/pages/1', { data: { seo: { title: 'd' } } })).status).toBe(403)
  const rex = await site.hire('rex', [
    read,
    { ...update, fields: ['seo.title'], locales: ['en'] },
    { ...update, fields: ['seo.text'], locales: ['fr'] },
  ])
  expect((await rex.put('content/pages/1', { data: { seo: { title: 'd' } } })).status).toBe(403)
  for (const id of [1, 2]) expect(await shared(id)).toEqual(['b kept', 'c kept', 'a kept'])
})
