/** The types of media attributes: their options in a definition, and the files that an answer has. */
import type { CommonOptions } from '@octavo/core'
import type { MediaKind } from './media-type.ts'

declare module '@octavo/core' {
  interface AttributeOptions {
    media: CommonOptions & {
      /** Whether the value is a list of files. Default false: one file. */
      readonly multiple?: boolean
      /** The kinds of files that may be uploaded for the attribute. Default: all of them. */
      readonly allowedTypes?: readonly MediaKind[]
    }
  }
  interface LinkedAttributes {
    media: FileAttributes
  }
}

/** A file as it is answered where it is populated. */
export interface FileAttributes {
  readonly name: string
  readonly alternativeText: string | null
  readonly caption: string | null
  /** Pixels, of pictures. */
  readonly width: number | null
  readonly height: number | null
  /** Smaller versions of a picture, by their name; a small picture lacks some. */
  readonly formats: { readonly [name: string]: FileFormat | undefined } | null
  readonly hash: string
  readonly ext: string | null
  readonly mime: string
  /** Kilobytes of 1,000 bytes. */
  readonly size: number
  readonly url: string
  readonly previewUrl: string | null
  readonly provider: string
  readonly provider_metadata: unknown
  readonly createdAt: string
  readonly updatedAt: string
  /** The entries that have the file, where `populate` of it names `related`. */
  readonly related?: readonly FileUse[]
}

/** A smaller version of a picture. */
export interface FileFormat {
  readonly url: string
  /** Pixels. */
  readonly width: number
  readonly height: number
  /** Kilobytes of 1,000 bytes. */
  readonly size: number
  readonly name: string
  readonly hash: string
  readonly ext: string
  readonly mime: string
}

/** An entry that has a file: its uid, its id, and the fields that `populate` selects. */
export interface FileUse {
  readonly __type: string
  readonly id: number
  readonly [field: string]: unknown
}
