/** The composables of `@nuxtjs/strapi`, from the registry, with substitutes for the composables of Nuxt that they call. */
import { registerHooks } from 'node:module'
import { ofetch } from 'ofetch'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { credentials, openSite, type Site } from './site.ts'

const runtime = new URL('../node_modules/@nuxtjs/strapi/dist/runtime/', import.meta.url)
const load = async (file: string): Promise<Record<string, () => never>> => import(new URL(file, runtime).href)

interface Entries {
  find(type: string, params?: object): Promise<{ data: { attributes: { title: string } }[] }>
  findOne(type: string, id?: number | object, params?: object): Promise<{ data: { attributes: object } }>
  create(type: string, data: object): Promise<{ data: { id: number } }>
  update(type: string, id: number, data: object): Promise<{ data: { attributes: object } }>
  delete(type: string, id: number): Promise<unknown>
}
interface Auth {
  login(data: object): Promise<{ jwt: string; user: { value: { username: string } } }>
  logout(): void
}

let site: Site
let entries: Entries
let auth: Auth
let media: (path: string) => string

beforeAll(async () => {
  site = await openSite()
  const strapi = { url: site.url, prefix: '/api', version: 'v4', cookieName: 'jwt', auth: {} }
  const states = new Map<string, { value: unknown }>()
  const state = (name: string) => states.get(name) ?? states.set(name, { value: null }).get(name)
  Object.assign(globalThis, {
    $fetch: ofetch,
    nuxt: {
      useRuntimeConfig: () => ({ public: { strapi } }),
      useNuxtApp: () => ({ hooks: { callHook: () => {} } }),
      useState: state,
      useCookie: state,
      ref: (value: unknown) => ({ value }),
    },
  })
  // Nuxt provides `#imports`; here a module with the substitutes.
  const names = ['useRuntimeConfig', 'useNuxtApp', 'useState', 'useCookie', 'ref']
  const lines = names.map((name) => `export const ${name} = (...given) => globalThis.nuxt.${name}(...given)`)
  const client = new URL('composables/useStrapiClient.js', runtime).href
  lines.push(`export { useStrapiClient } from ${JSON.stringify(client)}`)
  const imports = `data:text/javascript,${encodeURIComponent(lines.join('\n'))}`
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === '#imports' || (specifier === 'vue' && context.parentURL?.includes('@nuxtjs'))
        ? { url: imports, shortCircuit: true }
        : next(specifier, context),
  })
  const { useStrapi } = await load('composables-v4/useStrapi.js')
  const { useStrapiAuth } = await load('composables/useStrapiAuth.js')
  const { useStrapiMedia } = await load('composables/useStrapiMedia.js')
  if (!useStrapi || !useStrapiAuth || !useStrapiMedia)
    throw new Error('Not the composables of @nuxtjs/strapi')
  ;[entries, auth, media] = [useStrapi(), useStrapiAuth(), useStrapiMedia as unknown as typeof media]
})
afterAll(() => site.close())

describe('@nuxtjs/strapi', () => {
  it('lists entries with filters, sort and populated relations', async () => {
    const { data } = await entries.find('articles', {
      filters: { author: { name: { $contains: 'Austen' } } },
      sort: ['views:desc'],
      populate: { author: { fields: ['name'] } },
    })
    expect(data.map(({ attributes }) => attributes.title)).toEqual(['Persuasion', 'Emma'])
  })

  it('reads one entry, and a single type', async () => {
    expect((await entries.findOne('articles', 1)).data.attributes).toMatchObject({ title: 'Emma' })
    expect((await entries.findOne('homepage')).data.attributes).toMatchObject({ welcome: 'Hello' })
    await expect(entries.findOne('articles', 999)).rejects.toMatchObject({ error: { status: 404 } })
  })

  it('logs in, writes, and logs out', async () => {
    const { user } = await auth.login(credentials)
    expect(user.value.username).toBe('ada')
    const { id } = (await entries.create('articles', { title: 'Lady Susan' })).data
    const updated = await entries.update('articles', id, { views: 7 })
    expect(updated.data.attributes).toMatchObject({ title: 'Lady Susan', views: 7 })
    await entries.delete('articles', id)
    auth.logout()
    await expect(entries.create('articles', { title: 'No' })).rejects.toMatchObject({
      error: { status: 403 },
    })
  })

  it('makes addresses of files', () => {
    expect(media('/uploads/a.txt')).toBe(`${site.url}/uploads/a.txt`)
  })
})
