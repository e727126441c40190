import type { UsersPermissionsOptions } from '../options.ts'

/** Where this server is reached. Never from the request: who asks could name any host, and would be sent the codes. */
export const publicUrl = ({ publicUrl: given }: UsersPermissionsOptions): string =>
  (given ?? 'http://localhost:1337').replace(/\/+$/, '')
