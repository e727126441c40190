import { type Form, type GroupValue, sameField } from '../form/index.ts'
import { besideTheirs } from '../form/rewritten.ts'

/**
 * Whether somebody else has changed values since a form was loaded. A field that only one of the two has is one of other definitions or rights.
 *
 * @param pending The values of own saves without an outcome.
 */
export function isChangedByOthers(form: Form, stored: GroupValue, pending: readonly GroupValue[]): boolean {
  const { base } = besideTheirs(form.model, { base: form.base, mine: form.value() }, pending, stored)
  return Object.entries(base.fields).some(([name, before]) => {
    const now = stored.fields[name]
    return now !== undefined && !sameField(before, now)
  })
}
