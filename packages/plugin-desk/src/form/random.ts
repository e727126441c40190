/** A random text of hexadecimal digits, two for each byte. `crypto.randomUUID` is missing in pages without TLS. */
export const randomText = (bytes = 16): string =>
  [...crypto.getRandomValues(new Uint8Array(bytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')

/** A key for a new component, which no other tab gives. */
export const randomKey = (): string => `+${randomText(6)}`
