import { type Sql, sql } from '@octavo/database'

/** A setting of the transaction with the ids of the rows that its message writes: the entry's, then those of its components; `{}` when the write is refused. */
const idsSetting = 'octavo.ids'

/** The name of that setting as a fragment of a statement. It is made once, because texts of statements are found by the identity of their fragments. */
export const idsName: Sql = sql.lit(idsSetting)

/** The ids, of the type `int4[]`. */
export const writtenIds: Sql = sql.raw(`current_setting('${idsSetting}')::int4[]`)

/** The id of the entry; null when the write is refused. */
export const writtenId: Sql = sql.raw(`(current_setting('${idsSetting}')::int4[])[1]`)

/** A setting of the transaction with the name of its change, where a plugin names changes by the entry as it was. */
export const changeSetting = 'octavo.change'
