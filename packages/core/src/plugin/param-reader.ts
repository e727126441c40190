/** How a declared query parameter is read. */
export interface ParamReader<T> {
  /** Reads the client's value. @throws InvalidValue with a message that names the valid values. */
  readonly read: (value: unknown) => T
  readonly default: T
  /**
   * Where the parameter is valid: at the `root` only; at every node, inherited by the nodes below (`inherit`);
   * or at every node, for that node alone (`own`). Default `root`.
   */
  readonly scope?: 'root' | 'inherit' | 'own'
}
