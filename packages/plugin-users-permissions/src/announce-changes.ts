import type { Model, PluginHost, WriteEvent } from '@octavo/core/plugin'
import type { Change } from './changes.ts'
import { permissionUid, roleUid, userUid } from './content-types.ts'
import type { Service } from './service.ts'

/** Invalidates the memory of every process for users, roles and permissions that a write changes. */
export function announceChanges(host: PluginHost, service: () => Service): void {
  /** The announced changes of each transaction, by the writer that its hooks share. */
  const announced = new WeakMap<WriteEvent['entries'], Set<string>>()
  const announceToOthers = async (event: WriteEvent): Promise<void> => {
    const change = changeOf(event)
    if (!change) return
    const known = announced.get(event.entries) ?? new Set()
    announced.set(event.entries, known)
    // A role has a row for each action, and one announcement covers them all.
    const text = JSON.stringify(change)
    if (known.has(text)) return
    known.add(text)
    await service().announceToOthers(change, event.entries)
  }
  for (const hook of ['entry:afterCreate', 'entry:afterUpdate', 'entry:afterDelete'] as const)
    host.hook(hook, announceToOthers, { types: [userUid, roleUid, permissionUid] })
  host.hook('entry:committed', (event) => {
    const change = changeOf(event)
    if (change) service().forget(change)
  })
}

function changeOf({
  type,
  id,
}: {
  readonly type: Model
  readonly id: number | undefined
}): Change | undefined {
  if (type.uid === userUid) return { account: id ?? 0 }
  // A role may have been given users or permissions.
  if (type.uid === roleUid || type.uid === permissionUid) return { account: 0, roles: true }
  return undefined
}
