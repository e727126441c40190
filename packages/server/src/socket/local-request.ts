import type { IncomingMessage } from 'node:http'

const loopback = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const localNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Whether a request comes from this machine: from a loopback address, without a proxy between, to a local name, and not from
 * a page of another site. The last two keep out sites that a developer visits: their scripts run on this machine, too.
 */
export const isLocalRequest = (request: IncomingMessage): boolean =>
  isFromThisMachine(request) && isSameSite(request)

/**
 * Whether a request comes from this machine, possibly sent by a page of another site, such as the return from a sign-in elsewhere.
 */
export function isFromThisMachine({ headers, socket }: IncomingMessage): boolean {
  if (!loopback.test(socket.remoteAddress ?? '')) return false
  if (Object.keys(headers).some((name) => ofProxies.test(name))) return false
  const host = hostOf(headers.host)
  return host !== undefined && localNames.has(host.hostname)
}

/** Headers that proxies, content delivery networks and tunnels add, in lower case. */
const ofProxies =
  /^(?:via|forwarded|x-forwarded(?:-.+)?|cf-.+|cdn-.+|x-real-.+|x-client-ip|x-cluster-client-ip|true-client-.+|x-original-.+|x-envoy-.+|x-amz-cf-.+|x-amzn-.+|x-azure-.+|fastly-.+|fly-.+|ngrok-.+|tailscale-.+)$/

/** Whether no page of another site has sent a request, as far as the browser says. */
export function isSameSite({ headers }: IncomingMessage): boolean {
  const { origin } = headers
  const host = hostOf(headers.host)
  // By its host: behind a proxy with TLS, this server does not know the scheme of the page.
  if (
    origin !== undefined &&
    (host === undefined || hostOf(origin.replace(/^https?:\/\//, ''))?.host !== host.host)
  )
    return false
  const site = headers['sec-fetch-site']
  return site === undefined || site === 'same-origin' || site === 'none'
}

function hostOf(host: string | undefined): URL | undefined {
  const url = `http://${host}`
  return host !== undefined && URL.canParse(url) ? new URL(url) : undefined
}
