import { type Octavo, sql } from '@octavo/core'
import { permissionRows, roleRows } from '../content-rows.ts'

/** Roles that exist from the start, with their actions. Source: the reference server's. */
const initialRoles = [
  {
    type: 'authenticated',
    name: 'Authenticated',
    description: 'Default role given to authenticated user.',
    actions: ['auth.changePassword', 'user.me'],
  },
  {
    type: 'public',
    name: 'Public',
    description: 'Default role given to unauthenticated user.',
    actions: [
      'auth.callback',
      'auth.connect',
      'auth.emailConfirmation',
      'auth.forgotPassword',
      'auth.register',
      'auth.resetPassword',
      'auth.sendEmailConfirmation',
    ],
  },
] as const

/** Creates missing roles. Concurrent starts are serialised by a lock. */
export async function makeRoles({ store, registry }: Octavo, declared: readonly string[]): Promise<void> {
  const others = declared
    .filter((type) => !initialRoles.some((role) => role.type === type))
    .map((type) => ({ type, name: type, description: null, actions: [] as readonly string[] }))
  await store.transaction(async (tx) => {
    await tx.lock('users-permissions roles')
    const times = { createdAt: sql`now()`, updatedAt: sql`now()` }
    const roles = roleRows(tx, registry)
    for (const { actions, ...role } of [...initialRoles, ...others]) {
      if ((await roles.count({ type: role.type })) > 0) continue
      const [made] = await roles.insert({ ...role, ...times }, { returning: ['id'] })
      await permissionRows(tx, registry).insert(
        actions.map((action) => ({
          action: `plugin::users-permissions.${action}`,
          role: made?.id ?? null,
          ...times,
        })),
      )
    }
  })
}
