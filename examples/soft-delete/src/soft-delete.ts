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

/**
 * Deleted entries of types with `"pluginOptions": { "softDelete": true }` get a time in `deletedAt` and disappear from
 * every answer. `POST /api/articles/7/restore` brings one back; it needs the permission `restore` of the type.
 *
 * Unique values of deleted entries stay taken, so that the entry can be restored.
 */
export const softDelete = (): Plugin =>
  definePlugin({
    name: 'soft-delete',
    guards: 'deleted entries become visible',
    setup(host) {
      host.hook('definitions:extend', (definitions) => ({
        ...definitions,
        contentTypes: definitions.contentTypes.map((type) =>
          type.pluginOptions?.softDelete === true
            ? { ...type, attributes: { ...type.attributes, [name]: { type: 'datetime', private: true } } }
            : type,
        ),
      }))

      host.hook('entry:delete', ({ type }) =>
        columnOf(type) ? { [name]: new Date().toISOString() } : undefined,
      )

      // Clients cannot delete or restore by writing the attribute.
      host.hook('entry:input', (input, { type, by, state }) => {
        if (!columnOf(type) || by === 'plugin' || withDeleted.of(state)) return input
        const { [name]: _, ...rest } = input
        return rest
      })

      // A write may take a one-to-one relation away from a deleted entry, as from one that does not exist.
      const finds = host.fact('with-deleted', (state) => String(withDeleted.of(state) === true))
      host.hook('query:node', ({ model, use }, context) => {
        const column = columnOf(model)
        return column && use !== 'changed' && context.fact(finds) === 'false' ? isNull(column) : undefined
      })

      const octavo = host.start((octavo) => octavo)
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
                .update(id, { [name]: null })
              context.body = { data }
            },
          })
        }),
      )
    },
  })

/** The attribute that the plugin added; `undefined` for types that are not marked. */
function columnOf(model: Model): ScalarAttribute | undefined {
  const attribute = model.pluginOptions.softDelete === true ? model.attributes.get(name) : undefined
  return attribute?.kind === 'scalar' ? attribute : undefined
}
