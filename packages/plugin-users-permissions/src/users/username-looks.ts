import type { Octavo } from '@octavo/core'
import { userRows } from '../content-rows.ts'
import { lookOf } from './names.ts'

const usersAtATime = 1_000

/** Computes the look of each username that an earlier version stored without one. */
export async function fillUsernameLooks({ store, registry }: Octavo): Promise<void> {
  const users = userRows(store, registry)
  for (;;) {
    const rows = await users.find({
      where: { usernameLook: null, username: { $notNull: true } },
      select: ['id', 'username'],
      orderBy: { id: 'asc' },
      limit: usersAtATime,
    })
    for (const { id, username } of rows)
      await users.update({ where: { id }, set: { usernameLook: lookOf(username ?? '') } })
    if (rows.length < usersAtATime) return
  }
}
