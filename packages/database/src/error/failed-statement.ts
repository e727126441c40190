const texts = new WeakMap<Error, string>()

/** Notes the text of the statement that a driver's error is about. */
export function noteStatement(error: unknown, text: string | undefined): void {
  if (error instanceof Error && text !== undefined) texts.set(error, text)
}

/** The text of the statement that an error is about, or the error that caused it; `undefined` for any other error. */
export const failedStatement = (error: unknown): string | undefined =>
  error instanceof Error ? (texts.get(error) ?? failedStatement(error.cause)) : undefined
