/** Something about the command, its options or its files that the one who typed it can mend: shown without a stack. */
export class UsageError extends Error {}
