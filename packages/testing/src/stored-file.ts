/** The stored row of a file of text, for tests that need no content: `files.create(storedFile('one.txt'))`. */
export const storedFile = (name: string) => ({
  ...{ name, hash: name, ext: '.txt', mime: 'text/plain', size: 1 },
  ...{ url: `/${name}`, provider: 'local' },
})
