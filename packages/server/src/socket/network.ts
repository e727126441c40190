import { isIPv6 } from 'node:net'

/** The prefix that Node.js puts before an IPv4 address on a socket that listens for both kinds. */
const mapping = '::ffff:'

/**
 * The network of a client in limits: an IPv4 address, or the first 64 bits of an IPv6 address, which its subscriber has as a whole.
 *
 *     ::ffff:192.0.2.1   → 192.0.2.1
 *     2001:db8:0:7::1:2  → 2001:db8:0:7::/64
 *     192.0.2.1:50001    → 192.0.2.1, as some proxies write it
 *
 * Every request asks for it, so that an IPv4 address, which most are, is known by its colons alone: the expression of `isIPv6` takes longer
 * than several layers of middleware.
 */
export function networkOf(address: string): string {
  const alone = address.includes(':') ? withoutPort(address) : address
  const written = isMapped(alone) ? alone.slice(mapping.length) : alone
  const zone = written.indexOf('%')
  const bare = zone === -1 ? written : written.slice(0, zone)
  if (!bare.includes(':') || !isIPv6(bare)) return bare
  const [before = '', after] = bare.split('::')
  const groups = groupsOf(before)
  if (after !== undefined) {
    const rest = groupsOf(after)
    groups.push(...Array.from({ length: 8 - groups.length - rest.length }, () => '0'), ...rest)
  }
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** The address of `192.0.2.1:50001` and `[2001:db8::1]:50001`: each connection of a client has another port. */
function withoutPort(address: string): string {
  if (address.startsWith('[')) return address.slice(1).split(']')[0] ?? address
  const colon = address.indexOf(':')
  return address.lastIndexOf(':') === colon && address.lastIndexOf('.', colon) !== -1
    ? address.slice(0, colon)
    : address
}

const isMapped = (address: string): boolean =>
  address.indexOf(':', mapping.length) === -1 &&
  address.includes('.', mapping.length) &&
  address.slice(0, mapping.length).toLowerCase() === mapping

/** The groups of a part of an address, without leading zeros. A dotted end is two groups of the lower half, whose values do not matter. */
const groupsOf = (part: string): string[] =>
  part
    .split(':')
    .filter((group) => group !== '')
    .flatMap((group) => (group.includes('.') ? ['0', '0'] : Number.parseInt(group, 16).toString(16)))
