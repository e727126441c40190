import type { Model, PluginHost, WriteEvent } from '@octavo/core'
import type { Change } from './changes.ts'
import { permissionUid, roleUid, userUid } from './content-types.ts'
import type { Service } from './service.ts'

/** Makes every process forget users, roles and permissions that a write changes. */
export function announceChanges(host: PluginHost, service: () => Service): void {
  const tellOthers = async (event: WriteEvent): Promise<void> => {
    const change = changeOf(event)
    if (change) await service().tellOthers(change, event.entries)
  }
  host.hook('entry:afterCreate', tellOthers)
  host.hook('entry:afterUpdate', tellOthers)
  host.hook('entry:afterDelete', tellOthers)
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
