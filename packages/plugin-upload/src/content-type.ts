import type { ContentTypeDefinition, DefinitionMistake, Definitions, LinkType } from '@octavo/core'

export const fileUid = 'plugin::upload.file'
export const fileTable = 'files'

/** Files and what is known of them. Source: the records of the exchanges of group `upload`. */
export const fileType = (focalPoint: boolean): ContentTypeDefinition => ({
  kind: 'collectionType',
  uid: fileUid,
  collectionName: fileTable,
  info: { singularName: 'file', pluralName: 'files', displayName: 'File' },
  attributes: {
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

/** What `allowedTypes` of a media attribute may list. */
export const mediaKinds = ['images', 'videos', 'audios', 'files'] as const
export type MediaKind = (typeof mediaKinds)[number]

/** `{ "type": "media", "multiple": true, "allowedTypes": ["images"] }`: files, in the order in which they were put there. */
export const mediaType: LinkType = {
  kind: 'link',
  name: 'media',
  target: fileUid,
  table: 'files_related',
  column: 'file_id',
  many: (definition) => definition.multiple === true,
  filterable: false,
  empty: 'null',
  check: ({ multiple, allowedTypes }) => [
    ...(multiple === undefined || typeof multiple === 'boolean'
      ? []
      : [{ path: ['multiple'], message: 'multiple must be true or false' }]),
    ...checkKinds(allowedTypes),
  ],
}

function checkKinds(allowedTypes: unknown): readonly DefinitionMistake[] {
  if (allowedTypes === undefined || allowedTypes === null) return []
  const known: readonly unknown[] = mediaKinds
  return Array.isArray(allowedTypes) && allowedTypes.every((kind) => known.includes(kind))
    ? []
    : [{ path: ['allowedTypes'], message: `allowedTypes must be a list of ${mediaKinds.join(', ')}` }]
}

/** Which kind a file is of: what is no picture, film or sound is a `files`. */
export function kindOf(mime: string): MediaKind {
  const [kind] = mime.split('/')
  if (kind === 'image') return 'images'
  if (kind === 'video') return 'videos'
  return kind === 'audio' ? 'audios' : 'files'
}
