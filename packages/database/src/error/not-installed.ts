/**
 * Whether an import failed because an optional package is not installed. Errors inside an installed package do not count.
 *
 * @param name The name of the package (`sharp`), or the beginning of the names of several packages (`@aws-sdk/`).
 */
export function isNotInstalled(error: unknown, name: string): boolean {
  if (!(error instanceof Error && 'code' in error)) return false
  const { code, message } = error
  // Node.js: "Cannot find package 'sharp' imported from …". An installed package may be named after that.
  if (code === 'ERR_MODULE_NOT_FOUND') return message.includes(`'${name}`)
  // Yarn's Plug'n'Play: "@octavo/server tried to access sharp (a peer dependency) but …".
  return code === 'MODULE_NOT_FOUND' && message.includes(`access ${name}`)
}
