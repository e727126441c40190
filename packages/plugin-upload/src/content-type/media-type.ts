import type { DefinitionMistake, LinkType, RelationAttribute } from '@octavo/core/plugin'
import { fileUid } from './file-type.ts'

/** The kinds that `allowedTypes` of a media attribute may list. */
export const mediaKinds = ['images', 'videos', 'audios', 'files'] as const
export type MediaKind = (typeof mediaKinds)[number]

/** `{ "type": "media", "multiple": true, "allowedTypes": ["images"] }`: files, in the order in which they were attached. */
export const mediaType: LinkType = {
  kind: 'link',
  name: 'media',
  target: fileUid,
  table: 'files_related',
  column: 'file_id',
  many: (definition) => definition.multiple === true,
  filterable: false,
  empty: 'null',
  usesName: 'related',
  keys: ['multiple', 'allowedTypes'],
  check: ({ allowedTypes }) => checkKinds(allowedTypes),
}

function checkKinds(allowedTypes: unknown): readonly DefinitionMistake[] {
  if (allowedTypes === undefined || allowedTypes === null) return []
  const known: readonly unknown[] = mediaKinds
  return Array.isArray(allowedTypes) && allowedTypes.every((kind) => known.includes(kind))
    ? []
    : [{ path: ['allowedTypes'], message: `must be a list of ${mediaKinds.join(', ')}` }]
}

/** The kind of a file by its MIME type: `files` for everything but pictures, films and sounds. */
export function kindOf(mime: string): MediaKind {
  const [kind] = mime.split('/')
  if (kind === 'image') return 'images'
  if (kind === 'video') return 'videos'
  return kind === 'audio' ? 'audios' : 'files'
}

/** `allowedTypes` of a media attribute; `undefined`: every kind. */
export const kindsOf = ({ definition }: RelationAttribute): readonly MediaKind[] | undefined =>
  // The definition was checked by the attribute type's own `check`.
  (definition.allowedTypes ?? undefined) as readonly MediaKind[] | undefined
