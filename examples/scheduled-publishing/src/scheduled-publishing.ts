import type { Octavo, RequestState } from '@octavo/core'
import { definePlugin, type Plugin } from '@octavo/core/plugin'

export interface ScheduledPublishingOptions {
  /** Milliseconds between two looks for drafts that are due; 0: only the command `publish due` publishes. Default 60,000. */
  readonly every?: number
}

/**
 * Gives types with drafts an attribute `publishAt`. A draft is published when this time has come, with the events of any other update, so
 * that webhooks are sent. Several processes may look at once: a draft is published once.
 */
export const scheduledPublishing = ({ every = 60_000 }: ScheduledPublishingOptions = {}): Plugin =>
  definePlugin({
    name: 'scheduled-publishing',
    requires: ['draft-publish'],
    setup(host) {
      const state = host.unrestricted('publishes drafts that are due')

      host.hook('definitions:extend', (definitions) => ({
        ...definitions,
        contentTypes: definitions.contentTypes.map((type) =>
          type.options?.draftAndPublish === true
            ? { ...type, attributes: { ...type.attributes, publishAt: { type: 'datetime' } } }
            : type,
        ),
      }))

      host.command('publish due', {
        description: 'publishes the drafts whose publishAt has come',
        run: async (octavo, _flags, print) => {
          print(`${await publishDue(octavo, state)} published`)
          return true
        },
      })

      if (every === 0) return
      let timer: NodeJS.Timeout | undefined
      let last: Promise<unknown> = Promise.resolve()
      const octavo = host.start((octavo) => octavo)
      host.hook('octavo:start', () => {
        const look = (): void => {
          last = publishDue(octavo(), state)
            .catch((error: unknown) => host.logger.error({ err: error }, 'Drafts could not be published'))
            .finally(() => {
              if (timer) timer = setTimeout(look, every)
            })
        }
        timer = setTimeout(look, every)
      })
      host.hook('octavo:stop', async () => {
        clearTimeout(timer)
        timer = undefined
        await last
      })
    },
  })

/** @returns the number of drafts that were published */
async function publishDue(octavo: Octavo, state: RequestState): Promise<number> {
  let count = 0
  for (const type of octavo.registry.contentTypes.values()) {
    if (!type.attributes.has('publishAt')) continue
    const due = {
      publicationState: 'preview',
      filters: { publishedAt: { $null: true }, publishAt: { $lte: octavo.store.now().toISOString() } },
      fields: 'id',
      sort: 'publishAt',
    }
    const { data } = await octavo.entries(type.uid, state).find(due)
    for (const { id } of data)
      count += await octavo.transaction(async (tx) => {
        const entries = tx.entries(type.uid)
        // Locks the entry: another process that was faster has emptied `publishAt`.
        await entries.update(id, {})
        const entry = await entries.findOne(id, { publicationState: 'preview', fields: 'publishAt' })
        if (entry?.attributes.publishAt == null) return 0
        await entries.update(id, { publishedAt: octavo.store.now().toISOString(), publishAt: null })
        return 1
      }, state)
  }
  return count
}
