/** An error in the arguments or the answers of the user: printed without a stack. */
export class UsageError extends Error {}
