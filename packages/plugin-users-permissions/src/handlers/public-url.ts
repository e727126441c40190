import type { UsersPermissionsOptions } from '../options.ts'

/** The public URL of this server. Never taken from a request, whose sender could name another host and receive the codes. */
export const publicUrl = ({ publicUrl: given }: UsersPermissionsOptions): string =>
  (given ?? 'http://localhost:1337').replace(/\/+$/, '')
