/** Random requests about files, and writes of entries with files in their forms. */
import fc from 'fast-check'
import sharp from 'sharp'

export interface SentFile {
  readonly name: string
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

export interface FileRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `{file}` is the id of a file, and `{entry}` that of an entry of `entryOf`. */
  readonly path: string
  /** The fields of the form; texts, of which `{entry}` may be one. */
  readonly fields?: Readonly<Record<string, string>>
  /** The files of the form, each with the name of its field. */
  readonly files?: readonly (readonly [field: string, file: SentFile])[]
  /** The file in the path, by the place in the list of those that are known, beginning again at its end. */
  readonly file?: number
  /** The entry in the path or the form, in the same way. */
  readonly entry?: number
  /** The plural name of its content-type. */
  readonly entryOf?: string
}

const text = (value: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(value))
const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="12" height="8"><path d="M0 0h12v8z"/></svg>'

async function picture(
  width: number,
  height: number,
  format: 'png' | 'jpeg' | 'webp',
): Promise<Uint8Array<ArrayBuffer>> {
  const image = sharp({ create: { width, height, channels: 3, background: '#a0c0e0' } })
  return new Uint8Array(await image.toFormat(format).toBuffer())
}

/** Contents by the extension and the type that both servers find for them. */
const contents: readonly (readonly [extension: string, type: string, bytes: Uint8Array<ArrayBuffer>])[] = [
  ['.txt', 'text/plain', text('Lighthouse, 1811')],
  ['.csv', 'text/csv', text('name,height\nBell Rock,35\n')],
  ['.json', 'application/json', text('{ "name": "Bell Rock" }')],
  ['.svg', 'image/svg+xml', text(drawing)],
  ['.png', 'image/png', await picture(1, 1, 'png')],
  ['.png', 'image/png', await picture(300, 40, 'png')],
  ['.png', 'image/png', await picture(700, 900, 'png')],
  ['.jpg', 'image/jpeg', await picture(1_200, 800, 'jpeg')],
  ['.webp', 'image/webp', await picture(260, 260, 'webp')],
]

const stem = fc.constantFrom(
  'plain',
  'Two words',
  'Café & Söhne',
  '灯台',
  'many.dots.here',
  '-dash_and_line-',
  'UPPER',
  'ß',
  '🗼 tower',
  'l'.repeat(120),
)
const file: fc.Arbitrary<SentFile> = fc
  .tuple(stem, fc.constantFrom(...contents))
  .map(([name, [extension, type, bytes]]) => ({ name: name + extension, type, bytes }))

const line = fc.constantFrom('A lighthouse', 'Café', '', '🗼')
const informationWith = (
  names: readonly string[],
  told: fc.Arbitrary<string | null>,
): fc.Arbitrary<Readonly<Record<string, string | null>>> =>
  fc.record({ name: fc.constantFrom(...names), alternativeText: told, caption: told }, { requiredKeys: [] })
const names = ['New name', 'other.txt', 'Ünïcode']
/** Of a new file. */
const information = informationWith([...names, 'a:b', 'x/y.png'], fc.option(line))
/** Of a file that is there, which the reference gives any name, and where null changes nothing. */
const changed = informationWith(names, line)

const place = fc.nat({ max: 50 })
type Requests = fc.Arbitrary<FileRequest>

/** One file in a form: the reference stores several of them in any order. */
const upload: Requests = fc.tuple(file, fc.option(information)).map(([one, info]) => ({
  method: 'POST',
  path: '/api/upload',
  files: [['files', one]],
  ...(info && { fields: { fileInfo: JSON.stringify(info) } }),
}))

/** A form without what makes an upload, or with the wrong JSON. */
const incomplete: Requests = fc.oneof(
  fc.constant<FileRequest>({ method: 'POST', path: '/api/upload', fields: {} }),
  fc.constant<FileRequest>({ method: 'POST', path: '/api/upload', fields: { fileInfo: '{}' } }),
  file.map((one): FileRequest => ({ method: 'POST', path: '/api/upload', files: [['other', one]] })),
  fc.tuple(file, fc.constantFrom('x', '[', '5')).map(
    ([one, fileInfo]): FileRequest => ({
      method: 'POST',
      path: '/api/upload',
      files: [['files', one]],
      fields: { fileInfo },
    }),
  ),
)

/** Attributes of one file. The reference puts the next one of a list at the second place. */
const attributes = [
  ['articles', 'article', 'cover'],
  ['authors', 'author', 'avatar'],
  ['categories', 'category', 'icon'],
  ['restaurants', 'restaurant', 'menu'],
] as const

const attach: Requests = fc
  .tuple(fc.constantFrom(...attributes), place, file)
  .map(([[entryOf, name, field], entry, one]) => ({
    method: 'POST',
    path: '/api/upload',
    fields: { ref: `api::${name}.${name}`, refId: '{entry}', field },
    files: [['files', one]],
    entry,
    entryOf,
  }))

const change: Requests = fc.tuple(place, changed).map(([at, info]) => ({
  method: 'POST',
  path: '/api/upload?id={file}',
  fields: { fileInfo: JSON.stringify(info) },
  file: at,
}))

/** The content of a file is replaced by one of any kind. */
const replace: Requests = fc.tuple(place, file, fc.option(changed)).map(([at, one, info]) => ({
  method: 'POST',
  path: '/api/upload?id={file}',
  files: [['files', one]],
  ...(info && { fields: { fileInfo: JSON.stringify(info) } }),
  file: at,
}))

const remove: Requests = place.map((at) => ({ method: 'DELETE', path: '/api/upload/files/{file}', file: at }))

const titles = fc.constantFrom('With files', 'Café', 'Third')

/** A file of the form beside the entry, or none. */
const besideEntry = (...fields: readonly string[]) =>
  fc
    .option(fc.tuple(fc.constantFrom('files.cover', 'files.seo.metaImage', ...fields), file))
    .map((part) => (part ? [part] : []))

const query =
  '?publicationState=preview&populate[cover]=true&populate[gallery]=true&populate[seo][populate]=*'

const create: Requests = fc.tuple(titles, besideEntry('files.gallery')).map(([title, files]) => ({
  method: 'POST',
  path: `/api/articles${query}`,
  fields: { data: JSON.stringify({ title, seo: { metaTitle: 'Title' } }) },
  files,
}))

const update: Requests = fc.tuple(place, fc.option(titles), besideEntry()).map(([entry, title, files]) => ({
  method: 'PUT',
  path: `/api/articles/{entry}${query}`,
  fields: {
    data: JSON.stringify({
      ...(title && { title }),
      ...(files.some(([field]) => field.includes('seo')) && { seo: { metaTitle: 'Title' } }),
    }),
  },
  files,
  entry,
  entryOf: 'articles',
}))

const comparison = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('name', 'ext', 'mime', 'alternativeText'),
      fc.constantFrom('$eq', '$ne', '$containsi', '$startsWith', '$null'),
    )
    .chain(([name, operator]) =>
      fc
        .constantFrom('plain', '.png', 'image', 'Café', 'text/plain')
        .map(
          (value) =>
            `filters[${name}][${operator}]=${operator === '$null' ? 'true' : encodeURIComponent(value)}`,
        ),
    ),
  fc
    .tuple(
      fc.constantFrom('width', 'height', 'id'),
      fc.constantFrom('$gt', '$lte', '$ne'),
      fc.constantFrom(1, 12, 300),
    )
    .map(([name, operator, value]) => `filters[${name}][${operator}]=${value}`),
)
const some = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | ''> =>
  fc.option(arbitrary, { nil: '' as const })
const selection = fc
  .uniqueArray(fc.constantFrom('name', 'mime', 'width', 'alternativeText', 'ext', 'provider'), {
    minLength: 1,
    maxLength: 3,
  })
  .map((names) => names.map((name, i) => `fields[${i}]=${name}`).join('&'))
const sort = fc.constantFrom('id', 'id:desc', 'name,id', 'mime:desc,id', 'createdAt,id')
const page = fc
  .tuple(fc.nat({ max: 3 }), fc.integer({ min: 1, max: 7 }))
  .map(([start, limit]) => `start=${start}&limit=${limit}`)

const list: Requests = fc
  .tuple(sort, some(comparison), some(selection), some(page))
  .map(([order, ...others]) => ({
    method: 'GET',
    path: `/api/upload/files?${[`sort=${order}`, ...others].filter(Boolean).join('&')}`,
  }))
const one: Requests = place.map((at) => ({ method: 'GET', path: '/api/upload/files/{file}', file: at }))
const missing: Requests = fc.constantFrom<FileRequest>(
  { method: 'GET', path: '/api/upload/files/99999' },
  { method: 'DELETE', path: '/api/upload/files/99999' },
  { method: 'GET', path: '/api/upload/files/x' },
)

export const fileRequests: Requests = fc.oneof(
  { weight: 5, arbitrary: upload },
  { weight: 1, arbitrary: incomplete },
  { weight: 3, arbitrary: attach },
  { weight: 3, arbitrary: change },
  { weight: 2, arbitrary: replace },
  { weight: 2, arbitrary: remove },
  { weight: 3, arbitrary: create },
  { weight: 4, arbitrary: update },
  { weight: 5, arbitrary: list },
  { weight: 3, arbitrary: one },
  { weight: 1, arbitrary: missing },
)
