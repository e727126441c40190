/** A new entry whose tab is killed before the answer to its save has come. */
import { type ContentTypeDefinition, unrestricted } from '@octavo/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { modelOf } from '../src/form/index.ts'
import { OpenEntry, Wire, type WireFetch } from '../src/wire/index.ts'
import { localStore } from './form/local-store.ts'
import { openSite, type Site } from './site.ts'

const uid = 'api::member.member'
const member: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'member', pluralName: 'members' },
  attributes: {
    name: { type: 'string', required: true },
    secret: { type: 'password' },
    card: { type: 'component', component: 'member.card' },
  },
}
const components = [
  { uid: 'member.card', attributes: { number: { type: 'string' }, pin: { type: 'password' } } },
] as const

let site: Site
beforeAll(async () => {
  site = await openSite([member], components)
})
afterAll(() => site?.close())

it('an entry with passwords, which no copy keeps, is made once, and has them and what is typed later', async () => {
  const cookie = await site.signIn('ada@example.org')
  const { body: model } = await site.send(cookie, 'GET', 'model')
  const storage = localStore()
  let isLost = true
  const toServer: WireFetch = async (path, request) => {
    const headers = { ...request.headers, origin: site.url, cookie }
    const answer = await fetch(`${site.url}${path}`, { ...request, headers })
    if (isLost) throw new Error('The answer is lost.')
    return answer
  }
  const open = async (tab: string) => {
    const place = { person: 1, uid, route: 'members', entry: 'new-1' }
    const opened = await OpenEntry.open(new Wire(toServer), modelOf(model), place, { storage, tab })
    if (!(opened instanceof OpenEntry)) throw new Error(opened.kind)
    return opened
  }
  const killed = await open('killed')
  killed.form.set('name', 'Ann')
  killed.form.set('secret', 'A-secret-1')
  const card = killed.form.insert('card', 'member.card')
  killed.form.set(`${card}/number`, '7')
  killed.form.set(`${card}/pin`, '1234')
  expect(await killed.save()).toMatchObject({ kind: 'unknown' })
  isLost = false
  const next = await open('next')
  next.form.set('name', 'Anna')
  expect(await next.save()).toMatchObject({ kind: 'saved' })
  const members = site.server.octavo.entries('member', unrestricted('reads the test'))
  const { data } = await members.find({ populate: { card: true } } as never)
  expect(data.map(({ attributes }) => attributes)).toMatchObject([{ name: 'Anna', card: { number: '7' } }])
  const rows = await site.server.octavo.store.query('select "secret" from "members"')
  expect(JSON.stringify(rows)).toMatch(/"\$2/)
})
