/** The rights of users on a single type, whose entry is made by the first update. */
import type { ContentTypeDefinition } from '@octavo/core'
import { afterEach, expect, it } from 'vitest'
import { contentTypes, openSite, type Site } from './site.ts'

let site: Site
afterEach(() => site?.close())

const uid = 'api::about.about'
const about: ContentTypeDefinition = {
  kind: 'singleType',
  info: { singularName: 'about', pluralName: 'abouts' },
  attributes: {
    title: { type: 'string' },
    owner: { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' },
  },
}

it('S-22: A single type whose entry a user may not change gets no second entry beside it', async () => {
  const own = { owner: { id: '$user.id' } } as const
  site = await openSite(
    {
      permissions: {
        authenticated: [
          'plugin::users-permissions.user.find',
          `${uid}.find`,
          { action: `${uid}.update`, where: own },
        ],
      },
    },
    { contentTypes: [...contentTypes, about] },
  )
  const [ada, bob] = [await site.login('ada'), await site.login('bob')]
  const put = (token: string, data: object) => site.api.put('/api/about', { token, body: { data } })
  const stored = () => site.server.octavo.store.query('select "title", "owner_id"::text from "abouts"')
  // A first entry that the condition does not reach.
  expect((await put(ada, { title: 'Of nobody' })).status).toBe(403)
  expect(await stored()).toEqual([])
  expect((await put(ada, { title: 'Of Ada', owner: 1 })).status).toBe(200)
  expect((await put(bob, { title: 'Of Bob', owner: 2 })).status).toBe(404)
  expect((await put(ada, { title: 'Changed' })).status).toBe(200)
  expect(await stored()).toEqual([['Changed', '1']])
})
