/** bcrypt ignores all further bytes. */
export const maxPasswordBytes = 72

/** The hash of a random password, of the same cost as stored hashes. */
let dummy: Promise<string> | undefined

/**
 * Whether a password is the stored one. It takes as long for users that do not exist or have no password, so that the
 * duration reveals nothing.
 */
export async function matches(password: string, stored: string | null | undefined): Promise<boolean> {
  const fits = Buffer.byteLength(password) <= maxPasswordBytes
  // Loaded and made for the first password: no start should wait for it. The first password waits, for any account.
  const { compare, hash } = await import('@node-rs/bcrypt')
  dummy ??= hash(crypto.randomUUID(), { cost: 10 })
  const unknown = await dummy
  const same = await compare(fits ? password : '', stored ?? unknown)
  return same && fits && stored != null
}
