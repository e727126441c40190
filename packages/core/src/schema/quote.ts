/** A name as an SQL identifier. */
export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`
