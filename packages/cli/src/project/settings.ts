import type { I18nOptions } from '@octavo/plugin-i18n'
import type { UploadOptions } from '@octavo/plugin-upload'
import type { UsersPermissionsOptions } from '@octavo/plugin-users-permissions'
import type { ServerOptions } from '@octavo/server'

/** Options of our own plugins; `false` where the project turned its counterpart off. */
export interface PluginSettings {
  readonly i18n?: I18nOptions | false
  readonly upload?: UploadOptions | false
  readonly usersPermissions?: UsersPermissionsOptions
}

/** What a project's configuration amounts to in Octavo's own options. */
export interface Settings {
  readonly options: Pick<ServerOptions, 'api' | 'body' | 'cors'>
  readonly server: { readonly port?: number; readonly host?: string }
  readonly plugins: PluginSettings
}
