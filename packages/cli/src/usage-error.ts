/** An error of the user in a command, its options or its files: printed without a stack. */
export class UsageError extends Error {}
