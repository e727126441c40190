import { ConfigurationError, type Octavo, OctavoError, type RequestState, sql } from '@octavo/core'
import { didYouMean } from '@octavo/core/internal'
import { type ContentType, type OperatorCommand, type PluginHost, problem } from '@octavo/core/plugin'
import { type FormerDrafts, publishAll, publishedWith } from './former-drafts.ts'

/** Adds `octavo drafts publish <uid>` and `octavo drafts delete <uid>`, for types whose `draftAndPublish` is on or was. */
export function addDraftCommands(host: PluginHost, former: FormerDrafts): void {
  const state = host.unrestricted('octavo drafts publish and delete')
  // A draft may be published after a command has read its id. It is then no longer a draft.
  host.hook(
    'entry:checks',
    ({ type, id = 0 }) => [{ finds: publishedWith(type, id), refusal: () => problem('entry/not-found') }],
    { when: (event) => event.state === state && event.action !== 'create' },
  )
  for (const [words, command] of draftCommands(former, state)) host.command(words, command)
}

const draftCommands = (former: FormerDrafts, state: RequestState): ReadonlyMap<string, OperatorCommand> =>
  new Map([
    [
      'drafts publish',
      command(former, 'publishes all drafts of content-types', async (type, ids, octavo) => {
        if (!type.attributes.has('publishedAt'))
          return (await octavo.store.run(sql`${publishAll(type, ids)} returning "id"`)).length
        const publishedAt = octavo.store.now().toISOString()
        const { updated } = await octavo.bulk({ type, update: ids.map((id) => ({ id, publishedAt })), state })
        return updated.length
      }),
    ],
    [
      'drafts delete',
      command(former, 'deletes all drafts of content-types', async (type, ids, octavo) => {
        return (await octavo.bulk({ type, delete: ids, state })).deleted.length
      }),
    ],
  ] as const satisfies readonly (readonly [string, OperatorCommand])[])

/** Drafts that are written in one transaction. */
const batch = 200

/** @param work Writes drafts with these ids, and returns their number. */
function command(
  former: FormerDrafts,
  description: string,
  work: (type: ContentType, ids: readonly number[], octavo: Octavo) => Promise<number>,
): OperatorCommand {
  return {
    description,
    arguments: '<uids...>',
    run: async (octavo, _flags, print, uids = [], progress) => {
      const all = [...octavo.registry.contentTypes.values()]
      if (uids.length === 0)
        throw new ConfigurationError('Expected uids of content-types, such as api::article.article.')
      const types = uids.map((named) => {
        const type = all.find((one) => [one.uid, one.singularName, one.pluralName].includes(named))
        if (type) return type
        throw new ConfigurationError(
          `There is no content-type ${named}${didYouMean(
            named,
            all.map(({ pluralName }) => pluralName),
            '.',
          )}`,
        )
      })
      for (const type of types) {
        const total = await former.count(type)
        let [done, last] = [0, 0]
        /** Up to this id, drafts are written one by one, because some entries of their batch are no longer drafts. */
        let until = 0
        while (done < total) {
          progress?.(done, total, type.uid)
          // Read anew for each batch: a running server may have published or deleted others meanwhile.
          const ids = await former.after(last, last < until ? 1 : batch, type)
          if (ids.length === 0) break
          try {
            done += await work(type, ids, octavo)
            last = ids.at(-1) ?? last
          } catch (error) {
            if (error instanceof OctavoError && error.code === 'entry/not-found') {
              if (ids.length > 1) until = ids.at(-1) ?? until
              else last = ids.at(-1) ?? last
              continue
            }
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
