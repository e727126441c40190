/** Entries of single types, in several locales, as the desk opens and saves them. */
import { draftPublish } from '@octavo/plugin-draft-publish'
import { editors } from '@octavo/plugin-editors'
import { i18n } from '@octavo/plugin-i18n'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DraftStorage } from '../src/form/draft.ts'
import { type FormModel, modelOf } from '../src/form/index.ts'
import { desk } from '../src/index.ts'
import { OpenEntry, Wire } from '../src/wire/index.ts'
import { openSite, type Site } from './site.ts'

const uid = 'api::homepage.homepage'
const localized = { pluginOptions: { i18n: { localized: true } } }
const noStorage: DraftStorage = {
  get: async () => undefined,
  set: async () => {},
  delete: async () => {},
  keys: async () => [],
}

let site: Site
let ada: string
let model: FormModel
beforeAll(async () => {
  const homepage = {
    kind: 'singleType',
    info: { singularName: 'homepage', pluralName: 'homepages' },
    ...localized,
    attributes: { title: { type: 'string', ...localized } },
  } as const
  const plugins = [i18n({ locales: ['en', 'fr'], defaultLocale: 'en' }), draftPublish(), editors(), desk()]
  site = await openSite([homepage], [], { plugins })
  ada = await site.signIn('ada@example.org')
  model = modelOf((await site.send(ada, 'GET', 'model')).body)
})
afterAll(() => site.close())

async function open(locale: string): Promise<OpenEntry> {
  const wire = new Wire((path, request) =>
    fetch(`${site.url}${path}`, {
      ...request,
      headers: { ...request.headers, origin: site.url, cookie: ada },
    }),
  )
  const place = { person: 1, uid, route: 'homepage', single: true, entry: 0, locale }
  const opened = await OpenEntry.open(wire, model, place, { storage: noStorage, tab: 'one' })
  if (!(opened instanceof OpenEntry)) throw new Error(opened.kind)
  return opened
}

const titleIn = async (locale: string) =>
  (await site.send(ada, 'GET', `content/homepage?locale=${locale}`)).body.data.attributes.title

it('a single type has its entry with the first save, and one in each locale', async () => {
  for (const locale of ['en', 'fr']) {
    const entry = await open(locale)
    expect(entry.stored).toBeUndefined()
    entry.form.set('title', `in ${locale}`)
    expect(await entry.save()).toMatchObject({ kind: 'saved' })
    expect(entry.stored?.attributes).toMatchObject({ locale, title: `in ${locale}` })
  }
  const again = await open('fr')
  again.form.set('title', 'changed')
  expect(await again.save()).toMatchObject({ kind: 'saved' })
  expect([await titleIn('en'), await titleIn('fr')]).toEqual(['in en', 'changed'])
})

it('the first save of a single type finds the entry that somebody else has made meanwhile', async () => {
  for (const locale of ['en', 'fr']) await site.send(ada, 'DELETE', `content/homepage?locale=${locale}`)
  const [one, other] = [await open('en'), await open('en')]
  one.form.set('title', 'theirs')
  expect(await one.save()).toMatchObject({ kind: 'saved' })
  other.form.set('title', 'mine')
  expect(await other.save()).toMatchObject({ kind: 'overlaps' })
  expect(await titleIn('en')).toBe('theirs')
})

it('a single type whose entry in the default language was deleted has one there again with the next save', async () => {
  for (const locale of ['en', 'fr']) await site.send(ada, 'DELETE', `content/homepage?locale=${locale}`)
  for (const locale of ['en', 'fr', 'en']) {
    const entry = await open(locale)
    entry.form.set('title', `again in ${locale}`)
    expect(await entry.save()).toMatchObject({ kind: 'saved' })
    expect(entry.stored?.attributes).toMatchObject({ locale, title: `again in ${locale}` })
    if (locale === 'fr') await site.send(ada, 'DELETE', 'content/homepage?locale=en')
  }
  expect([await titleIn('en'), await titleIn('fr')]).toEqual(['again in en', 'again in fr'])
})

it('a single type begins in any language where it has no entry yet', async () => {
  for (const locale of ['en', 'fr']) await site.send(ada, 'DELETE', `content/homepage?locale=${locale}`)
  const entry = await open('fr')
  entry.form.set('title', 'first in fr')
  expect(await entry.save()).toMatchObject({ kind: 'saved' })
  expect(await titleIn('fr')).toBe('first in fr')
})
