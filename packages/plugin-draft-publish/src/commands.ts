import { type Octavo, OctavoError, type RequestState } from '@octavo/core'
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
        if (!type.attributes.has('publishedAt')) return void (await octavo.store.run(publishAll(type, ids)))
        const publishedAt = octavo.store.now().toISOString()
        await octavo.bulk({ type, update: ids.map((id) => ({ id, publishedAt })), state })
      }),
    ],
    [
      'drafts delete',
      command(former, 'deletes all drafts of content-types', async (type, ids, octavo) => {
        await octavo.bulk({ type, delete: ids, state })
      }),
    ],
  ] as const satisfies readonly (readonly [string, OperatorCommand])[])

/** Drafts that are written in one transaction. */
const batch = 200

function command(
  former: FormerDrafts,
  description: string,
  work: (type: ContentType, ids: readonly number[], octavo: Octavo) => Promise<void>,
): OperatorCommand {
  return {
    description,
    arguments: '<uids...>',
    run: async (octavo, _flags, print, uids = [], progress) => {
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
        const total = await former.count(type)
        let [done, last] = [0, 0]
        while (done < total) {
          progress?.(done, total, type.uid)
          // Read anew for each batch: a running server may have published or deleted others meanwhile.
          const ids = await former.after(last, batch, type)
          if (ids.length === 0) break
          try {
            await work(type, ids, octavo)
            done += ids.length
            last = ids.at(-1) ?? last
          } catch (error) {
            // Somebody deleted one of them since they were read: the others are read anew.
            if (error instanceof OctavoError && error.code === 'entry/not-found') continue
            const refused = refusedOf(error, ids)
            if (refused === undefined) throw error
            print(`${type.uid} ${refused}`)
            print(`${type.uid}: ${done} of ${total} drafts`)
            return false
          }
        }
        print(`${type.uid}: ${done} ${done === 1 ? 'draft' : 'drafts'}`)
      }
      return true
    },
  }
}

/** The entry of a batch that is refused, with the reason: somebody has to change it first. */
function refusedOf(error: unknown, ids: readonly number[]): string | undefined {
  if (!(error instanceof OctavoError)) return undefined
  const [mistake] = error.details.errors ?? []
  const [list, place] = mistake?.path ?? []
  if (!mistake || list !== 'update') return undefined
  return `${ids[Number(place)]}: ${mistake.message.replace(`update[${place}].`, '')}`
}
