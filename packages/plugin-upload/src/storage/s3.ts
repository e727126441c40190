import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { GetObjectCommandInput, HeadObjectCommandOutput } from '@aws-sdk/client-s3'
import { checkOptions, type KeysOf } from '@octavo/core/internal'
import { problem } from '../problems.ts'
import {
  asked,
  inTime,
  isNoFile,
  type OpenBucket,
  openBucket,
  patience,
  type Stop,
  sendFile,
  translated,
  wordsOf,
} from './bucket.ts'
import { withoutSlash } from './names.ts'
import type { FileStream, OpenedFile, StorageProvider } from './provider.ts'
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
        address: async (key, method) => {
          const { sdk, presigner, client } = await open()
          const { GetObjectCommand, HeadObjectCommand } = sdk
          const request = method === 'HEAD' ? new HeadObjectCommand(at(key)) : new GetObjectCommand(at(key))
          return presigner.getSignedUrl(client, request, { expiresIn: signedUrls })
        },
      },
    }),
    async start() {
      const { sdk, client } = await open()
      await inTime(patience.file, (stop) =>
        client.send(new sdk.HeadBucketCommand({ Bucket: bucket }), stop),
      ).catch((error: unknown) => {
        throw new Error(`The bucket "${bucket}" cannot be reached: ${wordsOf(error)}`, { cause: error })
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
      const time = patience.file + size / patience.leastSpeed
      await asked('PutObject', time, (stop) => sendFile({ sdk, storage, client }, params, stop))
      const head = (stop: Stop) => client.send(new sdk.HeadObjectCommand(at(key)), stop).catch(unlessNoFile)
      await expectStored(() => asked('HeadObject', patience.small, head), key, size)
    },
    url: (key) =>
      signedUrls === undefined ? `${withoutSlash(publicUrl ?? '')}/${prefix}${key}` : `/uploads/${key}`,
    open: async (key) => openFile(await open(), at(key)),
    async delete(key) {
      const { sdk, client } = await open()
      const remove = new sdk.DeleteObjectCommand(at(key))
      await asked('DeleteObject', patience.small, (stop) => client.send(remove, stop))
    },
    async *list(start) {
      const { sdk, client } = await open()
      // Keys are flat: whatever has a further slash belongs to somebody else who uses the bucket.
      const pages = sdk.paginateListObjectsV2(
        { client },
        { Bucket: bucket, Prefix: prefix + start, Delimiter: '/' },
      )
      for await (const { Contents = [] } of pages)
        for (const { Key = '', Size = 0, LastModified } of Contents) {
          // By the clock of this machine: by that of a bucket, a file that arrives could be hours old.
          const time = LastModified ? LastModified.getTime() - client.config.systemClockOffset : Date.now()
          yield { key: Key.slice(prefix.length), size: Size, modified: new Date(time) }
        }
    },
  }
}

/** @returns `undefined` without such a file */
async function openFile(
  { sdk, client }: Pick<OpenBucket, 'sdk' | 'client'>,
  at: GetObjectCommandInput,
): Promise<OpenedFile | undefined> {
  const get = (stop: Stop) => client.send(new sdk.GetObjectCommand(at), stop).catch(unlessNoFile)
  const found = await asked('GetObject', patience.file, get)
  if (!(found?.Body instanceof Readable)) return undefined
  const { Body, ContentLength, ETag } = found
  // Each file of a bucket has both. An answer without them is something else, such as an error with the status 200.
  if (ContentLength !== undefined && ETag !== undefined)
    return { size: ContentLength, stream: streamOf(Body) }
  Body.destroy()
  const cause = new Error(`The bucket answered GetObject of ${at.Key} without the size or the ETag of a file`)
  throw problem('upload/storage-unavailable', {}, { cause })
}

function unlessNoFile(error: unknown): undefined {
  if (!isNoFile(error)) throw error
}

/** A file that arrives, whose connection may break before its end. */
const streamOf = (body: Readable): FileStream => ({
  destroy: () => body.destroy(),
  async *[Symbol.asyncIterator]() {
    try {
      yield* body
    } catch (error) {
      throw translated(error, 'GetObject')
    }
  },
})

/** @throws OctavoError `upload/storage-unavailable` when the bucket has no such file, or another number of bytes of it */
async function expectStored(
  head: () => Promise<HeadObjectCommandOutput | undefined>,
  key: string,
  size: number,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const stored = await head()
    if (stored?.ContentLength === size) return
    if (attempt === looks.attempts) {
      const found = stored ? `has ${stored.ContentLength} bytes of it` : 'has no such file'
      const cause = new Error(`The bucket accepted ${key}, ${size} bytes, and ${found}`)
      throw problem('upload/storage-unavailable', {}, { cause })
    }
    await sleep(looks.pause)
  }
}
