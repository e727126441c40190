import type { Octavo, RequestState } from '@octavo/core'
import type { ContentType, OperatorCommand } from '@octavo/core/plugin'
import { type FormerDrafts, publishAll } from './former-drafts.ts'

/** `octavo drafts publish <uid>` and `octavo drafts delete <uid>`, for types whose `draftAndPublish` is on or was. */
export const draftCommands = (
  former: FormerDrafts,
  state: RequestState,
): ReadonlyMap<string, OperatorCommand> =>
  new Map([
    [
      'drafts publish',
      command(former, 'publishes all drafts of content-types', async (type, ids, octavo) => {
        if (!type.attributes.has('publishedAt')) return void (await octavo.store.run(publishAll(type)))
        const publishedAt = octavo.store.now().toISOString()
        for (const id of ids) await octavo.entries(type.uid, state).update(id, { publishedAt })
      }),
    ],
    [
      'drafts delete',
      command(former, 'deletes all drafts of content-types', async (type, ids, octavo) => {
        for (const id of ids) await octavo.entries(type.uid, state).delete(id)
      }),
    ],
  ] as const satisfies readonly (readonly [string, OperatorCommand])[])

function command(
  former: FormerDrafts,
  description: string,
  work: (type: ContentType, ids: readonly number[], octavo: Octavo) => Promise<void>,
): OperatorCommand {
  return {
    description,
    arguments: '<uids...>',
    run: async (octavo, _flags, print, uids = []) => {
      const all = [...octavo.registry.contentTypes.values()]
      const types = uids.map((named) =>
        all.find(({ uid, singularName, pluralName }) => [uid, singularName, pluralName].includes(named)),
      )
      const unknown = uids.filter((_, i) => !types[i])
      if (uids.length === 0 || unknown.length > 0) {
        print(
          uids.length === 0
            ? 'Expected uids of content-types, such as api::article.article.'
            : `There is no content-type ${unknown.join(', ')}.`,
        )
        return false
      }
      for (const type of types) {
        if (!type) continue
        const ids = await former.drafts(type)
        await work(type, ids, octavo)
        print(`${type.uid}: ${ids.length} ${ids.length === 1 ? 'draft' : 'drafts'}`)
      }
      return true
    },
  }
}
