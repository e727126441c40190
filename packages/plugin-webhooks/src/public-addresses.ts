import { lookup as resolve } from 'node:dns'
import { BlockList, isIPv6, type LookupFunction } from 'node:net'

/** `::a.b.c.d`: IPv6 addresses that contain an IPv4 address, which `request-filtering-agent` takes for public ones. */
const compatible = new BlockList()
compatible.addSubnet('::', 96, 'ipv6')

export const notPublic = (address: string): string =>
  `the address ${address} is not allowed, because it is not a public one; privateAddresses of a webhook, or privateHosts, would allow it`

/** @throws Error for an address that contains one of IPv4 in this form */
function requirePublic(address: string): void {
  if (isIPv6(address) && compatible.check(address, 'ipv6')) throw new Error(notPublic(address))
}

/** @throws Error for a URL whose host is such an address */
export const requirePublicHost = ({ hostname }: URL): void => requirePublic(hostname.replace(/^\[|\]$/g, ''))

/** Resolves a name, and fails when one of its addresses contains one of IPv4 in this form. */
export const lookupPublic: LookupFunction = (hostname, options, done) => {
  resolve(hostname, options, (error, found, family) => {
    if (error) return done(error, found, family)
    try {
      for (const one of Array.isArray(found) ? found : [{ address: found }]) requirePublic(one.address)
    } catch (refused) {
      return done(refused as Error, found, family)
    }
    return done(null, found, family)
  })
}
