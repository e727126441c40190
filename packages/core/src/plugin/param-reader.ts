/** The reader of a declared query parameter. */
export interface ParamReader<T> {
  /** Reads the client's value. @throws InvalidValue with a message that names the valid values. */
  readonly read: (value: unknown) => T
  readonly default: T
  /**
   * The name in a valid value that nothing has, such as a locale that does not exist, with the names that do. It is ignored, or
   * refused with the option `strict`. Default: every value is known.
   */
  unknown?(value: T): { readonly name: string; readonly known: readonly string[] } | undefined
  /**
   * The places at which the parameter is valid: at the `root` only; at every node, inherited by the nodes below (`inherit`);
   * or at every node, for that node alone (`own`). Default `root`.
   */
  readonly scope?: 'root' | 'inherit' | 'own'
}
