import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  NoSuchKey,
  paginateListObjectsV2,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { StorageProvider } from './provider.ts'
import { isShown } from './serve.ts'

export interface S3Options {
  readonly bucket: string
  /** Put before each key: `media/`. Default: none. */
  readonly prefix?: string
  /** Where the bucket's files are read by everybody: `https://cdn.example.com`. Needed unless `signedUrls` is given. */
  readonly publicUrl?: string
  /**
   * For a bucket that nobody else reads: files have addresses of this server, `/uploads/…`, which sends on to one that is good
   * for so many seconds. Default: off.
   */
  readonly signedUrls?: number
  /** Of the AWS SDK: `region`, `endpoint`, `credentials`, `forcePathStyle`… */
  readonly client?: S3ClientConfig
}

/**
 * Keeps files in a bucket of S3, or of what speaks its language. Large files go up in parts.
 * @throws Error when it is not told how files are read
 */
export function s3({
  bucket,
  prefix = '',
  publicUrl,
  signedUrls,
  client: config = {},
}: S3Options): StorageProvider {
  if (publicUrl === undefined && signedUrls === undefined)
    throw new Error('s3() needs publicUrl, or signedUrls for a bucket that is not public')
  const client = new S3Client(config)
  const at = (key: string) => ({ Bucket: bucket, Key: prefix + key })
  return {
    name: 's3',
    ...(signedUrls !== undefined && {
      serving: {
        kind: 'redirect',
        address: (key) => getSignedUrl(client, new GetObjectCommand(at(key)), { expiresIn: signedUrls }),
      },
    }),
    async start() {
      await client.send(new HeadBucketCommand({ Bucket: bucket })).catch((error: unknown) => {
        throw new Error(`The bucket "${bucket}" cannot be reached`, { cause: error })
      })
    },
    async put(key, { path, mime }) {
      // Without a length in advance parts are of 5 MiB, four at a time: that much is in memory.
      const params = {
        ...at(key),
        Body: createReadStream(path),
        ContentType: mime,
        // Read from the bucket itself, there is no header of ours that would keep scripts from running.
        ...(isShown(mime) ? {} : { ContentDisposition: 'attachment' }),
      }
      await new Upload({ client, params, leavePartsOnError: false }).done()
    },
    url: (key) => (signedUrls === undefined ? `${publicUrl}/${prefix}${key}` : `/uploads/${key}`),
    async open(key) {
      const { Body, ContentLength } = await client.send(new GetObjectCommand(at(key))).catch(unlessMissing)
      return Body instanceof Readable ? { size: ContentLength ?? 0, stream: Body } : undefined
    },
    async delete(key) {
      await client.send(new DeleteObjectCommand(at(key)))
    },
    async *list(start) {
      for await (const { Contents = [] } of paginateListObjectsV2(
        { client },
        { Bucket: bucket, Prefix: prefix + start },
      ))
        for (const { Key = '', Size = 0, LastModified = new Date() } of Contents)
          yield { key: Key.slice(prefix.length), size: Size, modified: LastModified }
    },
  }
}

const unlessMissing = (error: unknown): { readonly Body?: undefined; readonly ContentLength?: undefined } => {
  if (error instanceof NoSuchKey) return {}
  throw error
}
