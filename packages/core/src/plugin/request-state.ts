/** The key of the reason. A symbol, so that no body, query or data file can set it. */
export const unrestrictedReason: unique symbol = Symbol('octavo.unrestricted')

/** The context of a request besides its query, such as the caller. Plugins add their keys by declaration merging. */
export interface RequestState {
  /** The id of the request in the log. */
  readonly requestId?: string
  /**
   * The caller, for fairness: `user 7`, `token 3`, or `address 192.0.2.1`. Callers with the same text share their part of the
   * connections. Default: none, for programs.
   */
  readonly caller?: string
  /** The reason for unrestricted access by a program or a plugin. Set by `unrestricted()` only. */
  readonly [unrestrictedReason]?: string
}
