import type { PluginHost } from '@octavo/core/plugin'
import { declareAttemptTables } from '@octavo/server/attempts'
import { userUid } from './content-types.ts'

/** Declares the plugin's own tables. Secrets are stored as hashes, except for the signing key of tokens. */
export const declareTables = (host: Pick<PluginHost, 'table'>) => ({
  /** Secrets that the server generated in development, by name. */
  secrets: host.table('octavo_secrets', {
    columns: { name: { type: 'text' }, value: { type: 'text' } },
    primaryKey: 'name',
  }),
  apiTokens: host.table('octavo_api_tokens', {
    columns: {
      name: { type: 'text' },
      hash: { type: 'text', unique: true },
      /** `read-only`, `full`, or names of actions with spaces between them. */
      access: { type: 'text' },
      expires_at: { type: 'timestamp', nullable: true },
      last_used_at: { type: 'timestamp', nullable: true },
      created_at: { type: 'timestamp' },
      /** The person who made it, `editor 2`; null for programs and imports. */
      created_by: { type: 'text', nullable: true },
    },
  }),
  /** Started logins by a provider, and codes to exchange for a token. */
  logins: host.table('octavo_oauth', {
    columns: {
      hash: { type: 'text' },
      kind: { type: 'text' },
      provider: { type: 'text' },
      value: { type: 'text' },
      expires: { type: 'timestamp' },
    },
    primaryKey: 'hash',
  }),
  refreshTokens: host.table('octavo_refresh_tokens', {
    columns: {
      hash: { type: 'text' },
      family: { type: 'text' },
      user_id: { type: 'integer', references: userUid },
      version: { type: 'integer' },
      used: { type: 'boolean' },
      expires: { type: 'timestamp' },
      /** When the token was used with a key: the hash of the key, and the next token, encrypted with this one. */
      used_at: { type: 'timestamp', nullable: true },
      repeat_key: { type: 'text', nullable: true },
      next: { type: 'text', nullable: true },
    },
    primaryKey: 'hash',
  }),
  ...declareAttemptTables(host, { attempts: 'octavo_rate_limits', knownLogins: 'octavo_known_logins' }),
})

export type Tables = ReturnType<typeof declareTables>
