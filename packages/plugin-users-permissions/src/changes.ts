/** A message to the other processes of the database: which of their memories have become stale. */
export interface Change {
  /** Id of a user; 0: any. */
  readonly account?: number
  readonly roles?: true
  readonly apiTokens?: true
  /** The process that sent it, when that has forgotten its own already. */
  readonly from?: string
}

/** Everything that may have changed while the connection was lost. */
export const anything: Change = { account: 0, roles: true, apiTokens: true }
