/** The parts that changes of people and of roles share. */
import { type Octavo, sql, type Transaction } from '@octavo/core'
import type { Registry } from '@octavo/core/plugin'
import { problem } from '../problems.ts'
import { grantsOf } from '../rights/grants.ts'
import { type Right, rightText, uncovered } from '../rights/right.ts'
import { editorRows, rightsOf } from './rows.ts'

/** Runs a change in one transaction under one lock: of two changes, neither can take away what the other relies on. */
export const changePeople = <T>(octavo: Octavo, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  octavo.store.transaction(async (tx) => {
    await tx.lock('octavo editors')
    return work(tx)
  })

/** @throws ForbiddenError that names the first right that is not among the own ones */
export function requireCovered(by: readonly Right[], wanted: readonly Right[]): void {
  const missing = uncovered(by, wanted)
  if (missing) throw problem('desk/more-than-own', { right: rightText(missing) })
}

/** @throws ApplicationError when no active person could manage roles any more */
export async function requireManager(tx: Transaction, registry: Registry): Promise<void> {
  const people = await editorRows(tx, registry).find({ where: { active: true }, select: ['id'] })
  for (const { id } of people) if (grantsOf(await rightsOf(tx, registry, id)).allows('roles')) return
  throw problem('desk/last-manager')
}

/** The values that a body has. */
export const given = <T extends object>(values: T): Given<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<T>

type Given<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> }

/** The times of a new row. */
export const newTimes = { createdAt: sql`now()`, updatedAt: sql`now()` } as const
