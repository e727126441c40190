import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HeadObjectCommandOutput, S3Client, S3ClientConfig } from '@aws-sdk/client-s3'
import { ConfigurationError, OctavoError } from '@octavo/core'
import { checkOptions, isNotInstalled, type KeysOf } from '@octavo/core/internal'
import { problem } from '../problems.ts'
import { withoutSlash } from './names.ts'
import type { FileStream, StorageProvider } from './provider.ts'
import { isShown } from './shown.ts'

export interface S3Options {
  /** Name of the bucket. */
  readonly bucket: string
  /** Put before each key: `media/`. Default: none. */
  readonly prefix?: string
  /** The public address of the bucket's files: `https://cdn.example.com`. Needed unless `signedUrls` is given. Default none. */
  readonly publicUrl?: string
  /**
   * For a private bucket: files have addresses of this server, `/uploads/…`, which redirects to an address that is valid
   * for so many seconds, at most a week. Default: off.
   */
  readonly signedUrls?: number
  /**
   * Options of `S3Client` in the AWS SDK: `region`, `endpoint`, `credentials`, `forcePathStyle`… Default: those of the AWS SDK, and a
   * `requestHandler` with a `connectionTimeout` of 3 s and a `socketTimeout` of 10 s, since the SDK's own has neither.
   */
  readonly client?: S3ClientOptions
}

/** The most used of the AWS SDK's options, so that this package's types need no SDK. All others pass as they are. */
export interface S3ClientOptions {
  readonly region?: string
  readonly endpoint?: string
  readonly forcePathStyle?: boolean
  readonly credentials?: {
    readonly accessKeyId: string
    readonly secretAccessKey: string
    readonly sessionToken?: string
  }
  readonly [option: string]: unknown
}

const optionKeys = {
  bucket: true,
  prefix: true,
  publicUrl: true,
  signedUrls: true,
  client: true,
} as const satisfies KeysOf<S3Options>

/** Milliseconds until a connection is open, and of an open one without any progress. */
const requestHandler = { connectionTimeout: 3_000, socketTimeout: 10_000 }

/** Milliseconds of an operation with all its attempts, and bytes of a file that have to pass in each further one. */
const patience = { small: 10_000, file: 30_000, leastSpeed: 32 }

/** The longest time of a signed address, in seconds, which the protocol sets. */
const week = 604_800

/** Attempts to find a file that was stored, and milliseconds between them: some services show it a moment later. */
const looks = { attempts: 3, pause: 300 }

/**
 * Stores files in a bucket of S3 or of a compatible service. Large files are uploaded in parts. A file is stored when the bucket has all of
 * its bytes: the answer to its upload alone proves nothing behind a proxy. It needs three packages:
 * `npm install @aws-sdk/client-s3 @aws-sdk/lib-storage @aws-sdk/s3-request-presigner`.
 *
 * A bucket that is slow, busy or away is a 503 `upload/storage-unavailable`, after the attempts of the SDK.
 * @throws Error without `publicUrl` and `signedUrls`, or for a time that no address may have. The start fails when a package is missing or the bucket is out of reach.
 */
export function s3(options: S3Options): StorageProvider {
  checkOptions(options, optionKeys, 's3')
  const { bucket, prefix = '', publicUrl, signedUrls, client: config = {} } = options
  if (publicUrl === undefined && signedUrls === undefined)
    throw new Error('s3() needs publicUrl, or signedUrls for a bucket that is not public')
  if (signedUrls !== undefined && !(Number.isInteger(signedUrls) && signedUrls > 0 && signedUrls <= week))
    throw new Error(`s3(): signedUrls must be a whole number of seconds from 1 to ${week}`)
  let opened: Promise<OpenBucket> | undefined
  const open = (): Promise<OpenBucket> => {
    opened ??= openBucket(config)
    return opened
  }
  const at = (key: string) => ({ Bucket: bucket, Key: prefix + key })
  return {
    name: 's3',
    ...(signedUrls !== undefined && {
      serving: {
        kind: 'redirect',
        address: async (key) => {
          const { sdk, presigner, client } = await open()
          return presigner.getSignedUrl(client, new sdk.GetObjectCommand(at(key)), { expiresIn: signedUrls })
        },
      },
    }),
    async start() {
      const { sdk, client } = await open()
      await client.send(new sdk.HeadBucketCommand({ Bucket: bucket })).catch((error: unknown) => {
        throw new Error(`The bucket "${bucket}" cannot be reached`, { cause: error })
      })
    },
    async put(key, { path, mime, size }) {
      const { sdk, storage, client } = await open()
      // Without a length in advance the SDK sends parts of 5 MiB, four at a time, and holds that much in memory.
      const params = {
        ...at(key),
        Body: createReadStream(path),
        ContentType: mime,
        // A client that reads from the bucket itself gets no header of ours that would prevent scripts.
        ...(isShown(mime) ? {} : { ContentDisposition: 'attachment' }),
      }
      const upload = new storage.Upload({ client, params, leavePartsOnError: false })
      const late = setTimeout(() => void upload.abort(), patience.file + size / patience.leastSpeed)
      try {
        await upload.done()
        await expectStored(() => client.send(new sdk.HeadObjectCommand(at(key)), within()), key, size)
      } catch (error) {
        throw translated(error)
      } finally {
        clearTimeout(late)
      }
    },
    url: (key) =>
      signedUrls === undefined ? `${withoutSlash(publicUrl ?? '')}/${prefix}${key}` : `/uploads/${key}`,
    async open(key) {
      const { sdk, client } = await open()
      try {
        const { Body, ContentLength } = await client.send(new sdk.GetObjectCommand(at(key)))
        return Body instanceof Readable ? { size: ContentLength ?? 0, stream: streamOf(Body) } : undefined
      } catch (error) {
        if (error instanceof sdk.NoSuchKey) return undefined
        throw translated(error)
      }
    },
    async delete(key) {
      const { sdk, client } = await open()
      await client.send(new sdk.DeleteObjectCommand(at(key)), within()).catch((error: unknown) => {
        throw translated(error)
      })
    },
    async *list(start) {
      const { sdk, client } = await open()
      // Keys are flat: whatever has a further slash belongs to somebody else who uses the bucket.
      const pages = sdk.paginateListObjectsV2(
        { client },
        { Bucket: bucket, Prefix: prefix + start, Delimiter: '/' },
      )
      for await (const { Contents = [] } of pages)
        for (const { Key = '', Size = 0, LastModified = new Date() } of Contents)
          yield { key: Key.slice(prefix.length), size: Size, modified: LastModified }
    },
  }
}

/** A file that arrives, whose connection may break before its end. */
const streamOf = (body: Readable): FileStream => ({
  destroy: () => body.destroy(),
  async *[Symbol.asyncIterator]() {
    try {
      yield* body
    } catch (error) {
      throw translated(error)
    }
  },
})

const within = () => ({ abortSignal: AbortSignal.timeout(patience.small) })

/** @throws OctavoError `upload/storage-unavailable` when the bucket has no such file, or another number of bytes of it */
async function expectStored(
  head: () => Promise<HeadObjectCommandOutput>,
  key: string,
  size: number,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const stored = await head().catch((error: unknown) => {
      if (statusOf(error) === 404) return undefined
      throw error
    })
    if (stored?.ContentLength === size) return
    if (attempt === looks.attempts) {
      const found = stored ? `has ${stored.ContentLength} bytes of it` : 'has no such file'
      const cause = new Error(`The bucket accepted ${key}, ${size} bytes, and ${found}`)
      throw problem('upload/storage-unavailable', {}, { cause })
    }
    await sleep(looks.pause)
  }
}

/** The status of the answer that an error of the SDK was made of; `undefined`: there was no answer. */
const statusOf = (error: unknown): number | undefined =>
  (error as { readonly $metadata?: { readonly httpStatusCode?: number } }).$metadata?.httpStatusCode

/** An error of a bucket that is slow, busy or away as a 503; refusals, such as a wrong key, stay as they are. */
function translated(error: unknown): unknown {
  if (error instanceof OctavoError) return error
  // Of the disk from which the file is sent.
  if (error instanceof Error && 'syscall' in error && 'path' in error) return error
  const status = statusOf(error)
  const isRefused = status !== undefined && status >= 400 && status < 500 && status !== 429
  return isRefused ? error : problem('upload/storage-unavailable', {}, { cause: error })
}

interface OpenBucket {
  readonly sdk: typeof import('@aws-sdk/client-s3')
  readonly storage: typeof import('@aws-sdk/lib-storage')
  readonly presigner: typeof import('@aws-sdk/s3-request-presigner')
  readonly client: S3Client
}

/** Loads the AWS SDK, which is large, only where a bucket is used. @throws ConfigurationError when it is not installed */
async function openBucket(config: S3ClientOptions): Promise<OpenBucket> {
  try {
    const [sdk, storage, presigner] = await Promise.all([
      import('@aws-sdk/client-s3'),
      import('@aws-sdk/lib-storage'),
      import('@aws-sdk/s3-request-presigner'),
    ])
    // The SDK checks its options itself.
    return {
      sdk,
      storage,
      presigner,
      client: new sdk.S3Client({ requestHandler, ...config } as S3ClientConfig),
    }
  } catch (error) {
    if (!isNotInstalled(error, '@aws-sdk/')) throw error
    throw new ConfigurationError(
      's3() needs the AWS SDK: npm install @aws-sdk/client-s3 @aws-sdk/lib-storage @aws-sdk/s3-request-presigner',
      { cause: error },
    )
  }
}
