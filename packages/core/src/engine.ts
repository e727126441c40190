/**
 * Exits with a one-line message under an unsupported Node.js version. Imported first, and written for any version that
 * supports modules.
 */
const needed = [22, 22] as const

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < needed[0] || (major === needed[0] && minor < needed[1])) {
  console.error(
    `Octavo needs Node.js ${needed.join('.')} or later, and this is ${process.versions.node}: see https://nodejs.org`,
  )
  process.exit(1)
}

export {}
