/** A message to the other processes of the database: the parts of their memory that have become stale. */
export interface Change {
  /** Id of a user; 0: any. */
  readonly account?: number
  readonly roles?: true
  readonly apiTokens?: true
  /** The sending process, when it has invalidated its own memory already. */
  readonly from?: string
}

/** Everything that may have changed while the connection was lost. */
export const anything: Change = { account: 0, roles: true, apiTokens: true }
