import { type ContentType, definePlugin, type Plugin, problem } from '@octavo/core/plugin'
import type {} from '@octavo/server' // declares the hooks of the server

/** Whether entries of a type have a slug. */
const hasSlug = (type: ContentType): boolean =>
  type.kind === 'collectionType' && type.attributes.get('slug')?.definition.type === 'uid'

/**
 * `GET /api/articles/by-slug/first-light` answers like `/api/articles/1`. A slug that the entry had before is redirected to its present
 * one. Both need the permission `findOne` of the type.
 */
export const slugHistory = (): Plugin =>
  definePlugin({
    name: 'slug-history',
    setup(host) {
      const former = host.table('octavo_slugs', {
        columns: {
          type: { type: 'text' },
          slug: { type: 'text', index: true },
          entry: { type: 'integer', index: true },
        },
      })

      host.hook('entry:beforeUpdate', async ({ type, id, input, entries }) => {
        if (id === undefined || !hasSlug(type) || typeof input.slug !== 'string') return
        const slug = (await entries.stored(type.uid, id))?.slug
        if (slug == null || slug === input.slug) return
        // The slug leads to the entry that had it last.
        await entries.rows(former).delete({ where: { type: type.uid, slug: [slug, input.slug] } })
        await entries.rows(former).insert({ type: type.uid, slug, entry: id })
      })
      host.hook('entry:afterDelete', async ({ type, id, remains, entries }) => {
        if (id !== undefined && !remains && hasSlug(type))
          await entries.rows(former).delete({ where: { type: type.uid, entry: id } })
      })

      const octavo = host.start((octavo) => octavo)
      host.hook('server:routes', (routes) =>
        routes.forEachType((type) => {
          if (!hasSlug(type)) return
          const path = `/${type.pluralName}/by-slug`
          routes.add({
            method: 'GET',
            path: `${path}/:slug`,
            handler: async (context) => {
              const { slug = '' } = context.params
              // Only entries that the caller may read are found.
              const entries = octavo().entries(type.uid, context.state.octavo)
              const { data } = await entries.find({ filters: { slug: { $eq: slug } }, fields: 'id' })
              if (data[0]) return context.octavo.findOne(type.uid, data[0].id)
              const [row] = await octavo()
                .store.rows(former)
                .find({ where: { type: type.uid, slug }, limit: 1 })
              const entry = row && (await entries.findOne(row.entry, { fields: 'slug' }))
              if (!entry) throw problem('entry/not-found')
              context.status = 301
              context.redirect(`${routes.prefix}${path}/${encodeURIComponent(String(entry.attributes.slug))}`)
            },
          })
        }),
      )
    },
  })
