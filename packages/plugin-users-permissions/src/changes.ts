/** Where processes that share a database tell each other what changed. */
export const changesChannel = 'octavo_users_permissions'

/** What changed, as one process tells the others. */
export interface Change {
  /** Id of a user; 0: any. */
  readonly account?: number
  readonly roles?: true
  readonly apiTokens?: true
}
