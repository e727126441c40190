import type { Transaction } from '@octavo/database'
import { type DriverError, OctavoError, sqlState } from '@octavo/database'
import type { SectionHandler } from '../plugin/section.ts'
import { ImportError } from './import-error.ts'

/** Imports a section of a plugin. @throws ImportError for an item that the plugin or the database refuses */
export async function importSection(
  section: string,
  handler: SectionHandler,
  items: readonly unknown[],
  tx: Transaction,
): Promise<void> {
  try {
    await handler.import(items, tx)
  } catch (error) {
    throw explained(section, error)
  }
}

/** Handlers throw errors of no class of their own; one of JavaScript, such as a TypeError, is a mistake of the plugin. */
function explained(section: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ImportError) return error
  // 22: data exceptions (NUL, out of range…), 23: violations of a constraint, 54000: too large for an index.
  if (/^(22...|23...|54000)$/.test(sqlState(error) ?? '')) {
    const { message, detail } = error as DriverError
    return new ImportError([sentence(`section "${section}": ${detail ?? message}`)], false, error)
  }
  const isRefusal = Object.getPrototypeOf(error) === Error.prototype && !('code' in error)
  if (!isRefusal && !(error instanceof OctavoError && error.status === 400)) return error
  return new ImportError([sentence(error.message)], false, error)
}

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`)
