import type { FuzzRequest } from './requests.ts'
import type { Answer } from './send.ts'

/** The rule that an answer breaks; `undefined`: none. */
export function fault({ method, path }: FuzzRequest, answer: Answer, slowest: number): string | undefined {
  if (answer.kind === 'none') return `no answer: ${answer.reason}`
  const { status, type, body, milliseconds } = answer
  if (status >= 500) return `status ${status}`
  if (milliseconds > slowest) return `took ${Math.round(milliseconds)} ms`
  if (status >= 400 && method !== 'HEAD' && !path.startsWith('/uploads'))
    return faultOfError(status, type, body)
  if (type?.startsWith('application/json') && body !== '' && !isJson(body)) return 'a body that is not JSON'
  return undefined
}

/** Errors have the envelope of the contract. */
function faultOfError(status: number, type: string | undefined, body: string): string | undefined {
  if (!type?.startsWith('application/json')) return `status ${status} with the type ${type}`
  const { data, error } = (isJson(body) ? JSON.parse(body) : {}) as Envelope
  const isEnvelope =
    data === null &&
    error?.status === status &&
    typeof error.name === 'string' &&
    typeof error.message === 'string' &&
    typeof error.details === 'object'
  return isEnvelope ? undefined : `status ${status} without the envelope of errors`
}

interface Envelope {
  readonly data?: unknown
  readonly error?: {
    readonly status?: unknown
    readonly name?: unknown
    readonly message?: unknown
    readonly details?: unknown
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
