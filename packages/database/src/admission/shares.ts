import type { Account } from './accounts.ts'

/**
 * Whether a caller has used so much more than another one that its work gives way: twice as much. Callers with equal loads differ by chance, and work
 * that is refused on arrival is refused at once, in place of work that has waited already.
 */
const isFarAbove = (used: number, other: number): boolean => used > 2 * other

/**
 * The use of a caller in steps of two fifths. Callers on one step take turns by arrival. If every millisecond counted, work of a caller with an equal load
 * would be overtaken for twice the expected wait.
 */
export const stepOf = (used: number): number => Math.floor(2 * Math.log2(1 + used))

/**
 * The work that gives way to work of a caller: the last work of the caller who has used the most, if that is far more. For a caller without waiting work it is also
 * the last work of the caller with the most waiting work, at least two pieces. So a caller who sends one request after another is not refused because of callers
 * who send several at once.
 * @param isThere Whether work is in the queue in which there is no room.
 */
export function displacedBy<Waiting>(
  account: Account<Waiting>,
  queued: readonly Account<Waiting>[],
  isThere: (waiting: Waiting) => boolean,
  now: number,
): Waiting | undefined {
  const own = account.used(now)
  let most = own
  let last: Waiting | undefined
  for (const other of queued) {
    const used = other.used(now)
    const found = used > most && isFarAbove(used, own) ? other.waiting.findLast(isThere) : undefined
    if (found) [last, most] = [found, used]
  }
  return last ?? (account.waiting.length === 0 ? lastOfMany(queued, isThere) : undefined)
}

function lastOfMany<Waiting>(
  queued: readonly Account<Waiting>[],
  isThere: (waiting: Waiting) => boolean,
): Waiting | undefined {
  let most = 1
  let last: Waiting | undefined
  for (const other of queued) {
    if (other.waiting.length <= most) continue
    const there = other.waiting.filter(isThere)
    if (there.length > most) [last, most] = [there.at(-1), there.length]
  }
  return last
}

const shareOf = (used: readonly number[]): number => used.reduce((sum, one) => sum + one, 0) / used.length

/**
 * Whether a caller has used so much less than an equal share of what all callers have used, itself among them, and so little work goes before its own,
 * that others' use is no reason to refuse its work.
 * @param others Callers whose work runs; callers without an account of their own are not among them.
 * @param most Pieces of work that may go before its own.
 */
export function isNext<Waiting>(
  account: Account<Waiting>,
  queued: readonly Account<Waiting>[],
  others: readonly Account<Waiting>[],
  most: number,
  now: number,
): boolean {
  const own = account.used(now)
  const all = Array.from(new Set([account, ...queued, ...others]), (caller) => caller.used(now))
  if (!isFarAbove(shareOf(all), own)) return false
  let before = 0
  for (const other of queued) if (stepOf(other.used(now)) <= stepOf(own)) before += other.waiting.length
  return before < most
}

/** Whether a caller has used more than an equal share of what all callers have used, itself among them, and far more than one of them. */
export function isOverShare<Waiting>(
  account: Account<Waiting>,
  callers: ReadonlySet<Account<Waiting>>,
  now: number,
): boolean {
  const used = account.used(now)
  const all = Array.from(callers, (caller) => caller.used(now))
  return used > shareOf(all) && all.some((one) => isFarAbove(used, one))
}
