import { compare, hash } from '@node-rs/bcrypt'

/** bcrypt ignores all further bytes. */
export const maxPasswordBytes = 72

/** The hash of a random password, of the same cost as stored hashes. */
const dummy = hash(crypto.randomUUID(), { cost: 10 })

/**
 * Whether a password is the stored one. It takes as long for users that do not exist or have no password, so that the
 * duration reveals nothing.
 */
export async function matches(password: string, stored: string | null | undefined): Promise<boolean> {
  const fits = Buffer.byteLength(password) <= maxPasswordBytes
  const same = await compare(fits ? password : '', stored ?? (await dummy))
  return same && fits && stored != null
}
