import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3'
import { ConfigurationError } from '@octavo/core'
import { isNotInstalled, type KeysOf, refuseUnknownKeys } from '@octavo/core/internal'
import type { StorageProvider } from './provider.ts'
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
   * for so many seconds. Default: off.
   */
  readonly signedUrls?: number
  /** Options of `S3Client` in the AWS SDK: `region`, `endpoint`, `credentials`, `forcePathStyle`… Default: those of the AWS SDK. */
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

/**
 * Stores files in a bucket of S3 or of a compatible service. Large files are uploaded in parts. It needs three packages:
 * `npm install @aws-sdk/client-s3 @aws-sdk/lib-storage @aws-sdk/s3-request-presigner`.
 * @throws Error without `publicUrl` and `signedUrls`. The start fails when a package is missing or the bucket is out of reach.
 */
export function s3(options: S3Options): StorageProvider {
  refuseUnknownKeys(options, optionKeys, 's3')
  const { bucket, prefix = '', publicUrl, signedUrls, client: config = {} } = options
  if (publicUrl === undefined && signedUrls === undefined)
    throw new Error('s3() needs publicUrl, or signedUrls for a bucket that is not public')
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
    async put(key, { path, mime }) {
      const { storage, client } = await open()
      // Without a length in advance the SDK sends parts of 5 MiB, four at a time, and holds that much in memory.
      const params = {
        ...at(key),
        Body: createReadStream(path),
        ContentType: mime,
        // A client that reads from the bucket itself gets no header of ours that would prevent scripts.
        ...(isShown(mime) ? {} : { ContentDisposition: 'attachment' }),
      }
      await new storage.Upload({ client, params, leavePartsOnError: false }).done()
    },
    url: (key) => (signedUrls === undefined ? `${publicUrl}/${prefix}${key}` : `/uploads/${key}`),
    async open(key) {
      const { sdk, client } = await open()
      try {
        const { Body, ContentLength } = await client.send(new sdk.GetObjectCommand(at(key)))
        return Body instanceof Readable ? { size: ContentLength ?? 0, stream: Body } : undefined
      } catch (error) {
        if (error instanceof sdk.NoSuchKey) return undefined
        throw error
      }
    },
    async delete(key) {
      const { sdk, client } = await open()
      await client.send(new sdk.DeleteObjectCommand(at(key)))
    },
    async *list(start) {
      const { sdk, client } = await open()
      const pages = sdk.paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix + start })
      for await (const { Contents = [] } of pages)
        for (const { Key = '', Size = 0, LastModified = new Date() } of Contents)
          yield { key: Key.slice(prefix.length), size: Size, modified: LastModified }
    },
  }
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
    return { sdk, storage, presigner, client: new sdk.S3Client(config as S3ClientConfig) }
  } catch (error) {
    if (!isNotInstalled(error, '@aws-sdk/')) throw error
    throw new ConfigurationError(
      's3() needs the AWS SDK: npm install @aws-sdk/client-s3 @aws-sdk/lib-storage @aws-sdk/s3-request-presigner',
      { cause: error },
    )
  }
}
