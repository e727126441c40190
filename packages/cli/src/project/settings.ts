import type { EditorsOptions } from '@octavo/plugin-editors'
import type { GraphqlOptions } from '@octavo/plugin-graphql'
import type { I18nOptions } from '@octavo/plugin-i18n'
import type { UploadOptions } from '@octavo/plugin-upload'
import type { UsersPermissionsOptions } from '@octavo/plugin-users-permissions'
import type { ServerOptions } from '@octavo/server'

/** Options of Octavo's plugins; `false` where the project disabled the counterpart. */
export interface PluginSettings {
  readonly editors?: EditorsOptions | false
  readonly graphql?: GraphqlOptions | false
  readonly i18n?: I18nOptions | false
  readonly upload?: UploadOptions | false
  readonly usersPermissions?: UsersPermissionsOptions
}

/** A project's configuration as options of Octavo. */
export interface Settings {
  readonly options: Pick<ServerOptions, 'api' | 'body' | 'cors' | 'privateAttributes'>
  readonly server: { readonly port?: number; readonly host?: string }
  readonly plugins: PluginSettings
}
