import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Whether an IP address is not a public one, such as loopback, link-local and tunnels to IPv4. */
export const isPrivateAddress = (address: string): boolean => ipaddr.process(address).range() !== 'unicast'

/** @throws Error for the host of a URL that is itself a private address; names are checked by {@link publicLookup}. */
export function refusePrivateHost({ hostname }: URL): void {
  const address = hostname.replace(/^\[|\]$/g, '')
  if (isIP(address) !== 0 && isPrivateAddress(address)) throw refusal(address)
}

/** Resolves a name for a connection, which then uses the addresses that were checked: a second answer of DNS has no effect. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const refused = addresses?.find(({ address }) => isPrivateAddress(address))
    const [first] = addresses ?? []
    if (error || refused) callback(error ?? refusal(refused?.address), '')
    else if (options.all || !first) callback(null, addresses)
    else callback(null, first.address, first.family)
  })
}

const refusal = (address = ''): Error =>
  new Error(`the address ${address} is private; the option privateAddresses of the webhook allows it`)
