import type { PluginHost } from '@octavo/core/plugin'
import { declareAttemptTables } from '@octavo/server/attempts'
import { editorUid } from './content-types.ts'

/** Declares the plugin's own tables. Cookies and links are stored as hashes. */
export const declareTables = (host: Pick<PluginHost, 'table'>) => ({
  sessions: host.table('octavo_editor_sessions', {
    columns: {
      hash: { type: 'text', unique: true },
      editor_id: { type: 'integer', references: editorUid },
      /** The `User-Agent` of the sign-in, for the list of sessions. */
      agent: { type: 'text' },
      created_at: { type: 'timestamp' },
      used_at: { type: 'timestamp' },
      expires_at: { type: 'timestamp' },
    },
  }),
  /** Links that set a password once: for the first editor, of an invitation, and for a forgotten password. */
  links: host.table('octavo_editor_links', {
    columns: {
      hash: { type: 'text' },
      kind: { type: 'text' },
      editor_id: { type: 'integer', nullable: true, references: editorUid },
      expires_at: { type: 'timestamp' },
    },
    primaryKey: 'hash',
  }),
  /** How lists and forms are laid out; see `layouts/layout.ts`. `known` has the attributes that existed when it was stored. */
  layouts: host.table('octavo_desk_layouts', {
    columns: {
      uid: { type: 'text' },
      layout: { type: 'text' },
      known: { type: 'text' },
      changed_at: { type: 'timestamp' },
    },
    primaryKey: 'uid',
  }),
  /** Saved views of lists. Everybody who may read the list has the shared ones. */
  views: host.table('octavo_desk_views', {
    columns: {
      editor_id: { type: 'integer', references: editorUid },
      type: { type: 'text' },
      name: { type: 'text' },
      query: { type: 'text' },
      shared: { type: 'boolean' },
      changed_at: { type: 'timestamp' },
    },
  }),
  ...declareSignIns(host),
  ...declareAttemptTables(host, {
    attempts: 'octavo_editor_attempts',
    knownLogins: 'octavo_editor_known_logins',
  }),
})

/** Second factors, and sign-ins at the issuer. */
const declareSignIns = (host: Pick<PluginHost, 'table'>) => ({
  /** Secrets of second factors; one without `confirmed` is not asked for yet. */
  factors: host.table('octavo_editor_second_factors', {
    columns: {
      editor_id: { type: 'integer', references: editorUid },
      secret: { type: 'text' },
      confirmed: { type: 'boolean' },
      /** The step of the last accepted code, in units of 30 seconds since 1970. */
      last_step: { type: 'integer' },
      /** Wrong codes since the last right one. */
      failures: { type: 'integer' },
      failed_at: { type: 'timestamp' },
    },
    primaryKey: 'editor_id',
  }),
  recoveryCodes: host.table('octavo_editor_recovery_codes', {
    columns: { hash: { type: 'text' }, editor_id: { type: 'integer', references: editorUid } },
    primaryKey: 'hash',
  }),
  /** Accounts of the issuer that sign in as a person. */
  identities: host.table('octavo_editor_identities', {
    columns: {
      /** The hash of issuer and subject. */
      hash: { type: 'text' },
      editor_id: { type: 'integer', references: editorUid },
    },
    primaryKey: 'hash',
  }),
  /** Sign-ins at the issuer that have begun, by the hash of their state. */
  openIdFlows: host.table('octavo_editor_openid', {
    columns: {
      hash: { type: 'text' },
      /** The hash of the cookie of the browser in which it began. */
      browser: { type: 'text' },
      nonce: { type: 'text' },
      verifier: { type: 'text' },
      /** The page of the desk to return to. */
      target: { type: 'text' },
      expires_at: { type: 'timestamp' },
    },
    primaryKey: 'hash',
  }),
})

export type Tables = ReturnType<typeof declareTables>
