import type { AttributeDefinition } from '@octavo/core'
import {
  definePlugin,
  isNull,
  type Model,
  type Plugin,
  problem,
  readId,
  type ScalarAttribute,
  withDeleted,
} from '@octavo/core/plugin'
import type {} from '@octavo/server' // declares the hooks of the server

const name = 'deletedAt'
/** True, or null for a deleted entry: rows with a null in them never meet a unique index. */
const live = 'isLive'

/**
 * Deleted entries of types with `"pluginOptions": { "softDelete": true }` get a time in `deletedAt` and disappear from
 * every answer. `POST /api/articles/7/restore` brings one back; it needs the permission `restore` of the type.
 *
 * Unique values of deleted entries are free again. An entry whose values were taken since then is not restored.
 */
export const softDelete = (): Plugin =>
  definePlugin({
    name: 'soft-delete',
    guards: 'deleted entries become visible',
    // Its unique attributes, which are unique in each locale, are known then.
    after: ['i18n'],
    setup(host) {
      host.hook('definitions:extend', (definitions) => ({
        ...definitions,
        contentTypes: definitions.contentTypes.map((type) =>
          type.pluginOptions?.softDelete === true
            ? { ...type, attributes: { ...uniqueAmongLive(type.attributes), ...added } }
            : type,
        ),
      }))

      host.hook('entry:delete', ({ type }) =>
        columnOf(type) ? { [name]: new Date().toISOString(), [live]: null } : undefined,
      )

      // Clients cannot delete or restore by writing the attribute.
      host.hook('entry:input', (input, { type, by, state }) => {
        if (!columnOf(type) || by === 'plugin' || withDeleted.of(state)) return input
        const { [name]: _, [live]: __, ...rest } = input
        return rest
      })

      // A write may take a one-to-one relation away from a deleted entry, as from one that does not exist.
      const finds = host.fact('with-deleted', (state) => String(withDeleted.of(state) === true))
      host.hook('query:node', ({ model, use }, context) => {
        const column = columnOf(model)
        return column && use !== 'changed' && context.fact(finds) === 'false' ? isNull(column) : undefined
      })

      const octavo = host.start((octavo) => octavo)
      // Entries from the time before the plugin.
      host.forEachType(async (type, { store }) => {
        if (!columnOf(type)) return
        await store.rows(type).update({ where: { [live]: null, [name]: null }, set: { [live]: true } })
      })
      host.actions(({ contentTypes }) =>
        [...contentTypes.values()].filter(columnOf).map(({ uid }) => ({
          name: `${uid}.restore`,
          entries: { type: uid, as: 'update' },
          enforces: ['where'],
        })),
      )
      host.hook('server:routes', (routes) =>
        routes.forEachType((type) => {
          if (!columnOf(type)) return
          routes.add({
            method: 'POST',
            path: `/${type.pluralName}/:id/restore`,
            action: `${type.uid}.restore`,
            handler: async (context) => {
              const id = readId(context.params.id ?? '')
              if (id === undefined) throw problem('entry/not-found')
              // The state of the caller: only entries that the caller may update are restored.
              const state = withDeleted.with(true, context.state.octavo)
              const data = await octavo()
                .entries(type.uid, state)
                .update(id, { [name]: null, [live]: true })
              context.body = { data }
            },
          })
        }),
      )
    },
  })

type Attributes = Readonly<Record<string, AttributeDefinition>>

const added: Attributes = {
  [name]: { type: 'datetime', private: true },
  [live]: { type: 'boolean', default: true, private: true },
}

/** The attributes, of which each unique one is unique among entries that are not deleted. */
const uniqueAmongLive = (attributes: Attributes): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).map(([key, attribute]) => {
      const { unique = attribute.type === 'uid', uniqueWithin = [] } = attribute
      return [key, unique ? { ...attribute, uniqueWithin: [...(uniqueWithin as string[]), live] } : attribute]
    }),
  )

/** The attribute that the plugin added; `undefined` for types that are not marked. */
function columnOf(model: Model): ScalarAttribute | undefined {
  const attribute = model.pluginOptions.softDelete === true ? model.attributes.get(name) : undefined
  return attribute?.kind === 'scalar' ? attribute : undefined
}
