import { isIPv6 } from 'node:net'

/**
 * The network of a client in limits: an IPv4 address, or the first 64 bits of an IPv6 address, which its subscriber has as a whole.
 *
 *     ::ffff:192.0.2.1   → 192.0.2.1
 *     2001:db8:0:7::1:2  → 2001:db8:0:7::/64
 */
export function networkOf(address: string): string {
  const bare = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (!isIPv6(bare)) return bare
  const [before = '', after] = bare.split('::')
  const groups = groupsOf(before)
  if (after !== undefined) {
    const rest = groupsOf(after)
    groups.push(...Array.from({ length: 8 - groups.length - rest.length }, () => '0'), ...rest)
  }
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** The groups of a part of an address, without leading zeros. A dotted end is two groups of the lower half, whose values do not matter. */
const groupsOf = (part: string): string[] =>
  part
    .split(':')
    .filter((group) => group !== '')
    .flatMap((group) => (group.includes('.') ? ['0', '0'] : Number.parseInt(group, 16).toString(16)))
