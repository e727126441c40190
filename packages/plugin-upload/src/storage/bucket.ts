/** Requests to a bucket of S3: each has its time, and errors that say what was asked and what the answer was. */
import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3'
import type { Options } from '@aws-sdk/lib-storage'
import { ConfigurationError, OctavoError } from '@octavo/core'
import { isNotInstalled, thrownText } from '@octavo/core/internal'
import { problem } from '../problems.ts'

/** Milliseconds until a connection is open, and of an open one without any progress. */
const requestHandler = { connectionTimeout: 3_000, socketTimeout: 10_000 }

/** Milliseconds of a request with all its attempts, and bytes of a file that have to pass in each further one. */
export const patience = { small: 10_000, file: 30_000, leastSpeed: 32 }

export interface OpenBucket {
  readonly sdk: typeof import('@aws-sdk/client-s3')
  readonly storage: typeof import('@aws-sdk/lib-storage')
  readonly presigner: typeof import('@aws-sdk/s3-request-presigner')
  readonly client: S3Client
}

/** Loads the AWS SDK, which is large, only where a bucket is used. @throws ConfigurationError when it is not installed */
export async function openBucket(config: Readonly<Record<string, unknown>>): Promise<OpenBucket> {
  try {
    const [sdk, storage, presigner] = await Promise.all([
      import('@aws-sdk/client-s3'),
      import('@aws-sdk/lib-storage'),
      import('@aws-sdk/s3-request-presigner'),
    ])
    // The SDK checks its options itself.
    const client = new sdk.S3Client({ requestHandler, ...config } as S3ClientConfig)
    return { sdk, storage, presigner, client }
  } catch (error) {
    if (!isNotInstalled(error, '@aws-sdk/')) throw error
    throw new ConfigurationError(
      's3() needs the AWS SDK: npm install @aws-sdk/client-s3 @aws-sdk/lib-storage @aws-sdk/s3-request-presigner',
      { cause: error },
    )
  }
}

/** The option of a request by which it ends. */
export interface Stop {
  readonly abortSignal: AbortSignal
}

/** Work whose requests end after so many milliseconds; without that, one that gets a byte now and then would never end. */
export async function inTime<T>(milliseconds: number, work: (stop: Stop) => Promise<T>): Promise<T> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), milliseconds)
  try {
    return await work({ abortSignal: late.signal })
  } finally {
    clearTimeout(timer)
  }
}

/** A request in its time, whose errors are ours. */
export const asked = async <T>(
  request: string,
  milliseconds: number,
  send: (stop: Stop) => Promise<T>,
): Promise<T> => {
  try {
    return await inTime(milliseconds, send)
  } catch (error) {
    throw translated(error, request)
  }
}

/**
 * Sends a file, a large one in parts. When it takes longer than it may, its requests end: what is still on its way would otherwise be stored after
 * the file was removed, or in place of the one that was put back.
 */
export async function sendFile(
  { sdk, storage, client }: Pick<OpenBucket, 'sdk' | 'storage' | 'client'>,
  params: Options['params'],
  stop: Stop,
): Promise<void> {
  // The library gives its requests no signal. Its last one, which removes the parts, has a time of its own.
  const send = (command: Parameters<S3Client['send']>[0]) =>
    command instanceof sdk.AbortMultipartUploadCommand
      ? inTime(patience.small, (own) => client.send(command, own))
      : client.send(command, stop)
  const stoppable = { config: client.config, send } as unknown as S3Client // all that the library uses of it
  await new storage.Upload({ client: stoppable, params, leavePartsOnError: false }).done()
}

/** The part of an error of the SDK that was made of an answer. */
interface AnswerError {
  readonly name?: string
  readonly $metadata?: { readonly httpStatusCode?: number }
  readonly $response?: { readonly headers?: Readonly<Record<string, string>> }
}

/** Statuses below 500 that a later attempt may not get: a bucket that moves or is written to, and a client that was slow or too busy. */
const passing: ReadonlySet<number> = new Set([307, 408, 409, 425, 429])

/** Whether the bucket has no such file. The answer of some services has no body that says so. */
export function isNoFile(error: unknown): boolean {
  const { name, $metadata } = error as AnswerError
  return $metadata?.httpStatusCode === 404 && name !== 'NoSuchBucket'
}

/** An error of a bucket that is slow, busy or away as a 503. A refusal, such as of a wrong key or in a wrong region, is an error for the log. */
export function translated(error: unknown, request: string): unknown {
  if (error instanceof OctavoError) return error
  // An error of the disk from which the file is sent.
  if (error instanceof Error && 'syscall' in error && 'path' in error) return error
  const { name, $metadata } = error as AnswerError
  const status = $metadata?.httpStatusCode ?? 0
  const isRefused = status >= 300 && status < 500 && !passing.has(status) && name !== 'RequestTimeout'
  return isRefused
    ? new Error(`the bucket refused ${request}, ${wordsOf(error)}`, { cause: error })
    : problem('upload/storage-unavailable', {}, { cause: error })
}

/** `403 AccessDenied: Access Denied`, or the message of an error without an answer. An answer to `HEAD` has a status only. */
export function wordsOf(error: unknown): string {
  const { name, $metadata, $response } = error as AnswerError
  const status = $metadata?.httpStatusCode
  const text = thrownText(error)
  if (status === undefined) return text
  const said = text === 'UnknownError' ? '' : ` ${name}: ${text}`
  const region = $response?.headers?.['x-amz-bucket-region']
  return `${status}${said}${status < 400 && region !== undefined ? `; it is in the region ${region}` : ''}`
}
