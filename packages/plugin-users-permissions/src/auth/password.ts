import { compare, hash } from '@node-rs/bcrypt'

/** bcrypt reads no further: what comes after would not count. */
export const maxPasswordBytes = 72

/** A hash of nothing that anybody knows, of the same cost as those that are stored. */
const dummy = hash(crypto.randomUUID(), { cost: 10 })

/**
 * Whether a password is the stored one. It takes as long when there is no such user, or when they have no password, so
 * that time tells nothing.
 */
export async function matches(password: string, stored: string | null | undefined): Promise<boolean> {
  const fits = Buffer.byteLength(password) <= maxPasswordBytes
  const same = await compare(fits ? password : '', stored ?? (await dummy))
  return same && fits && stored != null
}
