import type { Pagination } from '@octavo/core'

/** The body of an answer. `data` is the JSON text of the database and is not parsed. */
export const envelope = (data: string, pagination?: Pagination): string =>
  `{"data":${data},"meta":${pagination ? `{"pagination":${JSON.stringify(pagination)}}` : '{}'}}`
