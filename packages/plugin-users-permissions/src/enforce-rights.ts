import type { Octavo, RequestState } from '@octavo/core'
import type { PluginHost, WriteEvent } from '@octavo/core/plugin'
import { LRUCache } from 'lru-cache'
import type { UsersPermissionsOptions } from './options.ts'
import { callerOf } from './rights/caller.ts'
import { checkPermission } from './rights/check-permissions.ts'
import { DeclaredActions } from './rights/declared-actions.ts'
import { type Grants, nothing } from './rights/grants.ts'
import { isHiddenUnique, withoutHiddenUnique } from './rights/hidden-unique.ts'
import { isGuarded, permissionAtRoot, Rights } from './rights/rights.ts'
import type { Service } from './service.ts'

/** Maximum number of different rights in memory, by their key; far more than a server has roles. */
const cachedGrants = 5_000

/** Narrows reads and writes to the rights of the caller. */
export function enforceRights(
  host: PluginHost,
  service: () => Service,
  options: UsersPermissionsOptions,
): void {
  // The grants by their key. A read hook has the fact's text only, which is this key.
  const grantsByKey = new LRUCache<string, Grants>({ maxSize: cachedGrants, sizeCalculation: () => 1 })
  const fact = host.fact('caller', (state: RequestState) => {
    const caller = callerOf(state)
    const grants = caller?.grants ?? service().publicGrants()
    // Nearly every request has grants that are known.
    if (grantsByKey.get(grants.key) === undefined) grantsByKey.set(grants.key, grants)
    return `${grants.key} ${caller?.admitted ?? ''}`
  })
  const actions = new DeclaredActions(() => service().octavo.actions)
  const rights = new Rights({
    actions,
    callerIn: (context) => {
      const [key = '', admitted = ''] = context.fact(fact).split(' ')
      return { grants: grantsByKey.get(key) ?? nothing, admitted }
    },
    registry: () => service().octavo.registry,
    ownId: host.runtimeValue('user.id', (state) => callerOf(state)?.userId ?? null),
    farSide: options.farSide ?? 'update',
  })
  host.hook('query:node', (node, context) => rights.narrow(node, context))
  host.hook('query:attribute', (attribute, node, context) => rights.shows(attribute, node, context))
  /** The attributes that the caller may write; `undefined`: all. Other plugins check the writes of their own types. */
  const writable = ({ type, action, state }: Pick<WriteEvent, 'type' | 'action' | 'state'>) => {
    if (!isGuarded(type)) return undefined
    const caller = callerOf(state) ?? { grants: service().publicGrants() }
    return permissionAtRoot(type, action, caller, actions)?.fields
  }
  const inMemory = { database: false } as const
  host.hook(
    'entry:input',
    (input, event) => {
      // Plugins check the writes that they add.
      const fields = event.by === 'plugin' ? undefined : writable(event)
      return fields
        ? Object.fromEntries(Object.entries(input).filter(([name]) => fields.includes(name)))
        : input
    },
    inMemory,
  )
  host.hook('entry:input', withoutHiddenUnique, inMemory)
  host.hook('entry:writable', (attribute, event) =>
    isHiddenUnique(event.type, attribute.name) ? false : writable(event)?.includes(attribute.name),
  )
  host.hook('octavo:start', (octavo) => checkPermissions(octavo, options, rights))
}

/** @throws ConfigurationError, or Error for a mistake in a condition: it would otherwise fail each request that meets it. */
function checkPermissions(
  octavo: Octavo,
  { permissions = {} }: UsersPermissionsOptions,
  rights: Rights,
): void {
  for (const [role, list] of Object.entries(permissions)) {
    for (const item of list) {
      const permission = typeof item === 'string' ? { action: item } : item
      checkPermission(permission, octavo, `permissions.${role}`)
      const uid = octavo.actions.get(permission.action)?.entries?.type
      if (permission.where && uid !== undefined)
        rights.condition(permission, octavo.registry.contentType(uid))
    }
  }
}
