/** The caller who is charged for the time that connections work: the caller for whom asynchronous work runs, unless a statement names one. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Demand } from '../admission/work.ts'

/** Replaced when the caller of a request becomes known. */
interface Charge {
  caller: string | undefined
}

const charges = new AsyncLocalStorage<Charge>()

/**
 * Runs work whose statements are charged to a caller, also those that name none.
 * @param caller `undefined` for the server itself: for work that others wait for too, such as reading the roles.
 */
export const chargedTo = <T>(caller: string | undefined, work: () => T): T => charges.run({ caller }, work)

/** Charges further statements of the running {@link chargedTo} to another caller: the user of a request, who is known after a statement. */
export function chargeTo(caller: string): void {
  const charge = charges.getStore()
  if (charge) charge.caller = caller
}

/** The demand with the caller that is charged. */
export function charged(demand: Demand | undefined): Demand | undefined {
  if (demand?.caller !== undefined || demand?.callers !== undefined) return demand
  const caller = charges.getStore()?.caller
  return caller === undefined ? demand : { ...demand, caller }
}
