import type { Octavo } from '@octavo/core'
import type { ContentType, FilteredEvent, PluginHost, WriteEvent } from '@octavo/core/plugin'

/** Runs `entry:published` and `entry:unpublished` after updates that set or clear `publishedAt`. */
export function reportPublication(
  host: PluginHost,
  octavo: () => Octavo,
  types: (type: ContentType) => boolean,
): void {
  /** Whether the entry was published, by the event of an update that sets `publishedAt`. */
  const before = new WeakMap<WriteEvent, boolean>()
  const isPublished = async ({ type, id = 0, entries }: WriteEvent): Promise<boolean> =>
    (await entries.stored(type.uid, id))?.publishedAt != null
  const isReported = (event: FilteredEvent): boolean => {
    const { hooks } = octavo()
    if (event.input.publishedAt === undefined) return false
    return hooks.has('entry:published', event) || hooks.has('entry:unpublished', event)
  }

  host.hook(
    'entry:beforeUpdate',
    async (event) => {
      before.set(event, await isPublished(event))
    },
    { types, when: isReported },
  )
  host.hook(
    'entry:afterUpdate',
    async (event) => {
      const isNow = await isPublished(event)
      if (isNow !== before.get(event))
        await octavo().hooks.guard(isNow ? 'entry:published' : 'entry:unpublished', event)
    },
    { types, when: isReported },
  )
}
