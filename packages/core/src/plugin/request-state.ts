/** The key of the reason. No text is equal to a symbol, so no body, query or data file can set it. */
export const unrestrictedReason: unique symbol = Symbol('octavo.unrestricted')

/** What a request brings besides its query: who calls. Plugins add their own keys by declaration merging. */
export interface RequestState {
  /** Stands for the request in the log. */
  readonly requestId?: string
  /** Why the rights of no caller apply: a program, or a plugin, acts for itself. Set by `unrestricted()` alone. */
  readonly [unrestrictedReason]?: string
}
