/** A word of a command that is printed for a terminal: in quotes where a shell would read it as something else. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
