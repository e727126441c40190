import type { Octavo, RequestState } from '@octavo/core'
import type { ContentType } from '@octavo/core/plugin'
import type { Endpoint, Routes } from '@octavo/server'

/** The endpoints and attributes that a caller may use. */
export interface CallerView {
  readonly endpoints: readonly Endpoint[]
  /** The attributes that the caller may read of a content-type. */
  readonly visible: (type: ContentType) => ReadonlySet<string>
  /** The attributes that the caller may write; `undefined`: all, or it may use no such endpoint. */
  readonly writable: (type: ContentType, action: WriteBody) => ReadonlySet<string> | undefined
  /** Equal for callers with equal rights. */
  readonly key: string
}

/** The actions whose bodies have attributes. */
type WriteBody = 'create' | 'update'

/** Finds the endpoints that a caller may use, and the attributes that these show and write. */
export async function callerView(
  octavo: Octavo,
  routes: Pick<Routes, 'endpoints' | 'permits'>,
  state: RequestState,
): Promise<CallerView> {
  const { registry, actions } = octavo
  const endpoints: Endpoint[] = []
  const visible = new Map<string, Set<string>>()
  const writable = new Map<string, ReadonlySet<string>>()
  for (const endpoint of routes.endpoints()) {
    if (!(await routes.permits(endpoint, state))) continue
    endpoints.push(endpoint)
    // At once: the rights of a plugin may depend on the action that was permitted last.
    for (const action of endpoint.actions) {
      const entries = actions.get(action)?.entries
      if (!entries) continue
      const names = visible.get(entries.type) ?? new Set()
      visible.set(entries.type, names)
      const type = registry.contentType(entries.type)
      for (const name of octavo.visible({ type, action: entries.as, state })) names.add(name)
      const { as } = entries
      if (as === 'create' || as === 'update')
        writable.set(`${type.uid} ${as}`, octavo.writable({ type, action: as, state }))
    }
  }
  // Types without an endpoint for this caller: files that are populated, for example.
  for (const type of registry.contentTypes.values())
    if (!visible.has(type.uid))
      visible.set(type.uid, new Set(octavo.visible({ type, action: 'find', state })))
  return {
    endpoints,
    visible: ({ uid }) => visible.get(uid) ?? new Set(),
    writable: ({ uid }, action) => writable.get(`${uid} ${action}`),
    key: JSON.stringify([
      endpoints.map(({ method, path }) => `${method} ${path}`),
      [...visible].map(([uid, names]) => [uid, ...names]),
      [...writable].map(([uid, names]) => [uid, ...names]),
    ]),
  }
}
