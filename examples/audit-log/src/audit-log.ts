import type { RequestState } from '@octavo/core'
import { definePlugin, type Plugin, readId, type WriteEvent } from '@octavo/core/plugin'
import type {} from '@octavo/server' // declares the hooks of the server

export interface AuditLogOptions {
  /** The name of the caller, from the state of the request. Default: none is noted. */
  readonly who?: (state: RequestState) => string | undefined
}

/**
 * Notes each create, update and delete of the interface, of programs and of plugins: when, who, which entry and which attributes. Values
 * are left out, since they may be secret. `GET /api/audit?entry=7` returns the newest notes; it needs the permission
 * `plugin::audit-log.find`.
 */
export const auditLog = ({ who = () => undefined }: AuditLogOptions = {}): Plugin =>
  definePlugin({
    name: 'audit-log',
    setup(host) {
      const notes = host.table('octavo_audit', {
        columns: {
          at: { type: 'timestamp' },
          who: { type: 'text', nullable: true },
          action: { type: 'text' },
          type: { type: 'text' },
          entry: { type: 'integer', index: true },
          attributes: { type: 'json' },
        },
      })

      // The note is part of the transaction: a change without its note does not exist, nor a note without its change.
      const note = async ({ action, type, id = 0, input, state, entries }: WriteEvent): Promise<void> => {
        if (!type.uid.startsWith('api::')) return
        await entries.rows(notes).insert({
          at: new Date(),
          who: who(state) ?? null,
          action,
          type: type.uid,
          entry: id,
          attributes: Object.keys(input).filter((name) => type.attributes.has(name)),
        })
      }
      host.hook('entry:afterCreate', note)
      host.hook('entry:afterUpdate', note)
      host.hook('entry:afterDelete', note)

      const octavo = host.start((octavo) => octavo)
      host.actions(() => [{ name: 'plugin::audit-log.find' }])
      host.hook('server:routes', (routes) =>
        routes.add({
          method: 'GET',
          path: '/audit',
          action: 'plugin::audit-log.find',
          handler: async (context) => {
            const entry = readId(String(context.query.entry ?? ''))
            const data = await octavo()
              .store.rows(notes)
              .find({ ...(entry !== undefined && { where: { entry } }), orderBy: { id: 'desc' }, limit: 100 })
            context.body = { data }
          },
        }),
      )
    },
  })
