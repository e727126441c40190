import { ConfigurationError, type Queryable } from '@octavo/database'
import { readNote, writeNote } from './notes.ts'

/**
 * The number of the meaning that tables and columns have. A version that gives a stored value another meaning, or whose rows an older version could not write, counts up: older versions
 * then refuse the database. Tables, columns and indexes that are only added leave it, so that old and new processes serve together.
 */
export const layout = 1

/** @throws ConfigurationError when a later version of Octavo has written the database, in a layout that this one does not know */
export async function refuseLaterLayout(db: Queryable): Promise<void> {
  const noted = Number((await readNote(db, 'layout')) ?? layout)
  if (noted <= layout) return
  throw new ConfigurationError(
    `The database was written by a later version of Octavo: its tables have layout ${noted}, and this version knows layout ${layout}. ` +
      'Nothing was changed. Start the later version again, or restore the backup that was taken before the upgrade.',
  )
}

export const noteLayout = (db: Queryable): Promise<void> => writeNote(db, 'layout', String(layout))
