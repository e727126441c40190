/** A fault that is done to running processes, and the property that must hold. */

export interface Scale {
  /** Whether it is the short form, for CI: less of everything. */
  readonly isShort: boolean
  /** The least number of acknowledged writes of a fault with a ledger. Default: that of the form. */
  readonly writes?: number
}

/** The figures of clients that wrote with a ledger, for a table of their own. */
export interface Tally {
  /** How often the fault was done. */
  readonly times: number
  readonly acknowledged: number
  readonly unknown: number
  /** Of the unknown writes, those that were written. */
  readonly written: number
  readonly lost: number
  readonly doubled: number
  /** Figures of this fault only. */
  readonly note?: string
}

/** @throws Violated that lists the violations of a report */
export function tallied(times: number, { violations, ...figures }: Omit<Tally, 'times'> & Violations): Tally {
  const { acknowledged, unknown, written, lost, doubled } = figures
  const tally = { times, acknowledged, unknown, written, lost, doubled }
  if (violations.length > 0) throw new Violated(tally, violations)
  return tally
}

/** A property of the ledger did not hold. */
export class Violated extends Error {
  readonly tally: Tally

  constructor(tally: Tally, violations: readonly string[]) {
    super(listed(violations))
    this.tally = tally
  }
}

const listed = (violations: readonly string[]): string =>
  `${violations.length} violations:\n${violations.slice(0, 10).join('\n')}`

interface Violations {
  readonly violations: readonly string[]
}

export interface Fault {
  readonly name: string
  /** The property that must hold, for the table. */
  readonly holds: string
  /** Whether the short form includes it. */
  readonly inShort: boolean
  /** Whether clients write with a ledger, so that its run gives a tally. Default false. */
  readonly hasLedger?: boolean
  /**
   * @returns the figures that were measured
   * @throws Error when the property does not hold
   * @throws NotRun when this machine cannot do it
   */
  run(scale: Scale): Promise<string | Tally>
}

/** The reason for which a fault cannot be done on this machine. */
export class NotRun extends Error {
  override readonly name = 'NotRun'
}

/** @throws Error with the message when the condition does not hold */
export function check(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message)
}

/** @throws Error that lists the first violations */
export function checkNone(violations: readonly string[]): void {
  check(violations.length === 0, listed(violations))
}

/** Waits until a condition holds. @throws Error with the message when it does not within `seconds` */
export async function until(
  condition: () => Promise<boolean> | boolean,
  message: string,
  seconds = 60,
): Promise<void> {
  const end = performance.now() + seconds * 1_000
  while (!(await condition())) {
    check(performance.now() < end, message)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
