/** The public surface of @octavo/plugin-upload. */

import '@octavo/core/engine'

export { type MediaKind, mediaKinds } from './content-type/media-type.ts'
export type { FileAttributes, FileFormat, FileUse } from './content-type/typed-media.ts'
export type { ImageOptions, UploadLimits, UploadOptions, VariantFormat, VariantOptions } from './options.ts'
export { problem as uploadProblem } from './problems.ts'
export { type LocalDiskOptions, localDisk } from './storage/local-disk.ts'
export type {
  FileStream,
  ListedFile,
  OpenedFile,
  Serving,
  StorageProvider,
  StoredFile,
} from './storage/provider.ts'
export { type S3ClientOptions, type S3Options, s3 } from './storage/s3.ts'
export { upload } from './upload.ts'
