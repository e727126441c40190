/** bcrypt ignores all further bytes. */
export const maxPasswordBytes = 72

/** The form of a stored password, which is imported unchanged. */
export const bcryptHash = /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/

/** Characters of a new password, at least. */
export const minPasswordLength = 8

/** The work of one comparison, by its exponent, as in imported hashes. */
const cost = 10

/** The hash of a random password, of the same cost as stored hashes. */
let dummy: Promise<string> | undefined

export async function hashPassword(password: string): Promise<string> {
  const { hash } = await import('@node-rs/bcrypt')
  return hash(password, { cost })
}

/** Whether a password is the stored one. It takes as long for people who do not exist or have no password (S-18). */
export async function matches(password: string, stored: string | null | undefined): Promise<boolean> {
  const fits = Buffer.byteLength(password) <= maxPasswordBytes
  // Loaded for the first password: no start should wait for it.
  const { compare } = await import('@node-rs/bcrypt')
  dummy ??= hashPassword(crypto.randomUUID())
  const unknown = await dummy
  const same = await compare(fits ? password : '', stored ?? unknown)
  return same && fits && stored != null
}
