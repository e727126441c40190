import type { Pagination } from '@octavo/core'

/** The body of an answer. `data` is JSON text as the database made it and is not looked at. */
export const envelope = (data: string, pagination?: Pagination): string =>
  `{"data":${data},"meta":${pagination ? `{"pagination":${JSON.stringify(pagination)}}` : '{}'}}`
