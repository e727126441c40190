/** The error of a transaction that continues after a failed statement, whose error was caught: PostgreSQL undoes all of it. */
export const ignoredError = (): Error =>
  new Error(
    'A statement of the transaction failed and its error was ignored, so nothing was written. Use a savepoint for statements that may fail',
  )
