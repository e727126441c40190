import type { AttributeDefinition, ContentTypeDefinition } from '@octavo/core'
import type { Definitions } from '@octavo/core/plugin'

export const fileUid = 'plugin::upload.file'

/** Attributes of a file that no other server has. */
export const ownNames: ReadonlySet<string> = new Set(['pendingFormats'])

/** The content-type of files. Source: the records of the exchanges of group `upload`. */
export const fileType = (
  focalPoint: boolean,
  added: Readonly<Record<string, AttributeDefinition>> = {},
): ContentTypeDefinition => ({
  kind: 'collectionType',
  uid: fileUid,
  collectionName: 'files',
  info: { singularName: 'file', pluralName: 'files', displayName: 'File' },
  options: { indexes: [{ attributes: ['folderPath'] }] },
  attributes: {
    ...added,
    name: { type: 'string', required: true },
    alternativeText: { type: 'string' },
    caption: { type: 'string' },
    width: { type: 'integer' },
    height: { type: 'integer' },
    formats: { type: 'json' },
    hash: { type: 'string', required: true },
    ext: { type: 'string' },
    mime: { type: 'string', required: true },
    /** Kilobytes of 1,000 bytes. */
    size: { type: 'decimal', required: true },
    url: { type: 'string', required: true },
    previewUrl: { type: 'string' },
    provider: { type: 'string', required: true },
    provider_metadata: { type: 'json' },
    /** The path of its folder, `/3/17`; `/` outside of all folders. */
    folderPath: { type: 'string', private: true, default: '/' },
    /** Set while formats are still to be made; another value after each replacement. */
    pendingFormats: { type: 'string', private: true },
    ...(focalPoint && { focalPoint: { type: 'json' } }),
  },
})

const userUid = 'plugin::users-permissions.user'

/**
 * Records who uploaded a file, where there are users, so that a permission can be limited to own files:
 * `{ where: { uploadedBy: { id: '$user.id' } } }`. The attribute is private: no answer shows it and no query reaches it.
 */
export function withUploader(definitions: Definitions): Definitions {
  if (!definitions.contentTypes.some(({ uid }) => uid === userUid)) return definitions
  const uploadedBy = { type: 'relation', relation: 'manyToOne', target: userUid, private: true } as const
  return {
    ...definitions,
    contentTypes: definitions.contentTypes.map((type) =>
      type.uid === fileUid ? { ...type, attributes: { ...type.attributes, uploadedBy } } : type,
    ),
  }
}
