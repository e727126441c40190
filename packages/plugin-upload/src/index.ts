/** The public surface of @octavo/plugin-upload. */

export { type MediaKind, mediaKinds } from './content-type.ts'
export { type LocalDiskOptions, localDisk } from './local-disk.ts'
export type { ImageOptions, UploadLimits, UploadOptions, VariantFormat, VariantOptions } from './options.ts'
export type { ListedFile, OpenedFile, Serving, StorageProvider, StoredFile } from './provider.ts'
export { type S3ClientOptions, type S3Options, s3 } from './s3.ts'
export { upload } from './upload.ts'
