import type { IncomingMessage } from 'node:http'

const loopback = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const localNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Whether a request comes from this machine: from a loopback address, without a proxy between, to a local name, and not from
 * a page of another site. The last two keep out sites that a developer visits: their scripts run on this machine, too.
 */
export function isLocalRequest({ headers, socket }: IncomingMessage): boolean {
  if (!loopback.test(socket.remoteAddress ?? '')) return false
  if (proxyHeaders.some((name) => headers[name] !== undefined)) return false
  const host = hostOf(headers.host)
  if (host === undefined || !localNames.has(host.hostname)) return false
  const { origin } = headers
  if (origin !== undefined && origin !== host.origin) return false
  const site = headers['sec-fetch-site']
  return site === undefined || site === 'same-origin' || site === 'none'
}

const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'] as const

function hostOf(host: string | undefined): URL | undefined {
  const url = `http://${host}`
  return host !== undefined && URL.canParse(url) ? new URL(url) : undefined
}
