import type { Octavo } from '@octavo/core'
import { type UserRow, userRows } from '../content-rows.ts'
import { type Looks, looksOf } from '../input/names.ts'

const usersAtATime = 1_000

/** The columns of a name's looks. */
export function lookColumns(username: string): Pick<UserRow, 'usernameLook' | 'usernameWrittenLook'> {
  const { folded, written } = looksOf(username)
  return { usernameLook: folded, usernameWrittenLook: written }
}

/** Conditions that find the users whose names have one of the looks. */
export function alike({ folded, written }: Looks) {
  const looks = [...new Set([folded, written])]
  return [{ usernameLook: looks }, { usernameWrittenLook: looks }]
}

/** Computes the looks of each username that was stored without one, by an import or an earlier version. */
export async function fillUsernameLooks({ store, registry }: Octavo): Promise<void> {
  const users = userRows(store, registry)
  for (;;) {
    const rows = await users.find({
      where: { usernameWrittenLook: null, username: { $notNull: true } },
      select: ['id', 'username'],
      orderBy: { id: 'asc' },
      limit: usersAtATime,
    })
    for (const { id, username } of rows)
      await users.update({ where: { id }, set: lookColumns(username ?? '') })
    if (rows.length < usersAtATime) return
  }
}
