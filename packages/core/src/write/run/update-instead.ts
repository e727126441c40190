import type { BatchedTransaction } from '@octavo/database'
import type { Registry } from '../../content-type/model.ts'
import type { HookRunner } from '../../plugin/hook-runner.ts'
import { PluginError } from '../../plugin/plugin-error.ts'
import type { WriteEvent } from '../../plugin/write-hooks.ts'
import { runChecks } from '../check/check.ts'
import { checksOf } from '../check/checks-of.ts'
import { knownIds, sendIds } from '../compile/ids.ts'
import { saveRows } from '../compile/save-rows.ts'
import { hashSecrets } from '../input/hash-secrets.ts'
import { InputMistakes } from '../input/mistakes.ts'
import { validate } from '../input/validate.ts'

/**
 * Writes the values that a plugin returns from `entry:delete`, in place of deleting the entry. Required attributes may be
 * cleared, so that the plugin can free unique values.
 *
 * @returns whether a plugin returned values
 * @throws PluginError for a name that is no attribute, ValidationError for an invalid value
 */
export async function updateInstead(
  event: WriteEvent,
  id: number,
  { registry, hooks }: { readonly registry: Registry; readonly hooks: HookRunner },
  tx: BatchedTransaction,
): Promise<boolean> {
  const decided = await hooks.decideByPlugin('entry:delete', event)
  if (!decided) return false
  const { plugin, answer } = decided
  const { type } = event
  // Writes ignore unknown names, and here the entry would remain as it was.
  const unknown = Object.keys(answer).find((name) => !type.attributes.has(name))
  if (unknown !== undefined)
    throw new PluginError(plugin, 'entry:delete', `${type.uid} has no attribute "${unknown}"`)
  const mistakes = new InputMistakes()
  const row = validate(type, id, answer, [], { registry, lenient: true, mistakes })
  await runChecks(checksOf([row], registry), tx, mistakes)
  mistakes.throwIfAny()
  const rows = [await hashSecrets(row)]
  const ids = sendIds(rows, tx)
  await tx.flush()
  await saveRows(rows, knownIds(rows, ids), registry, tx)
  return true
}
