import type { ContentType, Octavo, PluginHost, WriteEvent } from '@octavo/core'

/** Runs `entry:published` and `entry:unpublished` after updates that set or clear `publishedAt`. */
export function reportPublication(
  host: PluginHost,
  octavo: () => Octavo,
  isDraftable: (type: ContentType) => boolean,
): void {
  /** Whether the entry was published, by the event of an update that sets `publishedAt`. */
  const before = new WeakMap<WriteEvent, boolean>()
  const isPublished = async ({ type, id = 0, entries }: WriteEvent): Promise<boolean> =>
    (await entries.stored(type.uid, id))?.publishedAt != null

  host.hook('entry:beforeUpdate', async (event) => {
    if (event.input.publishedAt === undefined || !isDraftable(event.type)) return
    const { hooks } = octavo()
    if (!hooks.has('entry:published') && !hooks.has('entry:unpublished')) return
    before.set(event, await isPublished(event))
  })
  host.hook('entry:afterUpdate', async (event) => {
    const wasPublished = before.get(event)
    if (wasPublished === undefined) return
    const isNow = await isPublished(event)
    if (isNow !== wasPublished)
      await octavo().hooks.guard(isNow ? 'entry:published' : 'entry:unpublished', event)
  })
}
