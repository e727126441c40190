import { stat } from 'node:fs/promises'
import path from 'node:path'
import { unrestricted } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { i18n } from '@octavo/plugin-i18n'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uploadProblem } from '../src/index.ts'
import { form, openSite, picture, type Site } from './site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const uploaded = async (...parts: Parameters<typeof form>) => {
  const { status, body } = await site.api.post('/api/upload', { body: form(...parts) })
  expect([status, body.error]).toEqual([200, undefined])
  return body
}

describe('POST /api/upload', () => {
  it('makes the smaller formats of a picture that is larger than they are', async () => {
    const [file] = await uploaded([
      { name: 'Großes Bild.png', content: await picture(1200, 600), type: 'image/png' },
    ])
    expect(file).toMatchObject({
      name: 'Großes Bild.png',
      ext: '.png',
      mime: 'image/png',
      width: 1200,
      height: 600,
    })
    expect(file.hash).toMatch(/^Grosses_Bild_[0-9a-f]{10}$/)
    expect(Object.keys(file.formats).sort()).toEqual(['large', 'medium', 'small', 'thumbnail'])
    expect(file.formats.large).toMatchObject({
      width: 1000,
      height: 500,
      ext: '.png',
      mime: 'image/png',
      path: null,
    })
    expect(file.formats.thumbnail).toMatchObject({
      name: 'thumbnail_Großes Bild.png',
      hash: `thumbnail_${file.hash}`,
      width: 245,
      height: 123,
      url: `/uploads/thumbnail_${file.hash}.png`,
    })
    for (const { url, sizeInBytes, width } of Object.values(file.formats) as Record<string, never>[]) {
      const response = await fetch(site.url + url)
      const bytes = Buffer.from(await response.arrayBuffer())
      expect([response.status, bytes.length]).toEqual([200, sizeInBytes])
      expect((await sharp(bytes).metadata()).width).toBe(width)
    }
  })

  it.each([
    [240, 150, []],
    [240, 160, ['thumbnail']],
    [501, 10, ['small', 'thumbnail']],
    [10, 751, ['medium', 'small', 'thumbnail']],
  ])('makes of %i by %i: %j', async (width, height, formats) => {
    const [file] = await uploaded([{ name: 'a.jpg', content: await picture(width, height, 'jpeg') }])
    expect(Object.keys(file.formats ?? {}).sort()).toEqual(formats)
  })

  it('applies the EXIF orientation and removes metadata', async () => {
    const turned = await sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } })
      .jpeg()
      .withExif({ IFD0: { Make: 'Camera', Copyright: 'Me' }, IFD3: { GPSLatitudeRef: 'N' } })
      .withMetadata({ orientation: 6 })
      .toBuffer()
    expect((await sharp(turned).metadata()).exif).toBeDefined()
    const [file] = await uploaded([{ name: 'turned.jpg', content: turned }])
    expect([file.width, file.height]).toEqual([20, 40])
    const kept = await sharp(path.join(site.folder, `${file.hash}.jpg`)).metadata()
    expect([kept.width, kept.height, kept.exif, kept.orientation]).toEqual([20, 40, undefined, undefined])
  })

  it('preserves the frames of an animation', async () => {
    const frames = [10, 120, 250].map((red) => ({
      create: { width: 30, height: 30, channels: 3 as const, background: { r: red, g: 0, b: 0 } },
    }))
    const images = await Promise.all(frames.map((frame) => sharp(frame).png().toBuffer()))
    const animation = await sharp(images, { join: { animated: true } })
      .webp({ loop: 0 })
      .toBuffer()
    const [file] = await uploaded([{ name: 'a.webp', content: animation }])
    const kept = await sharp(path.join(site.folder, `${file.hash}.webp`)).metadata()
    expect([file.width, file.height, kept.pages]).toEqual([30, 30, 3])
  })

  it.each([
    ['an icon', 'favicon.ico', '00 00 01 00 01 00 10 10 00 00 01 00 20 00', 'image/x-icon'],
    ['a bitmap', 'a.bmp', '42 4d 1e 00 00 00', 'image/bmp'],
    ['a photo of a telephone', 'a.heic', '00 00 00 18 66 74 79 70 68 65 69 63 00 00 00 00', 'image/heic'],
    ['a file of Photoshop', 'a.psd', '38 42 50 53 00 01', 'image/vnd.adobe.photoshop'],
    ['a JPEG XL', 'a.jxl', 'ff 0a 00 00', 'image/jxl'],
    ['a drawing of AutoCAD', 'a.dwg', '41 43 31 30 33 32 00 00', 'image/vnd.dwg'],
  ])('stores %s, which sharp does not read, as it is', async (_, name, start, mime) => {
    const content = Buffer.concat([Buffer.from(start.replaceAll(' ', ''), 'hex'), Buffer.alloc(40)])
    const [file] = await uploaded([{ name, content }])
    const asItIs = { name, mime, ext: path.extname(name), width: null, height: null, formats: null }
    expect(file).toMatchObject(asItIs)
    const response = await fetch(site.url + file.url)
    expect(Buffer.from(await response.arrayBuffer())).toEqual(content)
    const entry = await site.api.post('/api/articles?populate=cover', {
      body: { data: { title: 'a', cover: file.id } },
    })
    expect(entry.body.data.attributes.cover.data.attributes).toMatchObject(asItIs)
    const replaced = await site.api.post(`/api/upload?id=${file.id}`, { body: form([{ name, content }]) })
    expect([replaced.status, replaced.body]).toMatchObject([200, { ...asItIs, formats: {} }])
  })

  it('takes a list of fileInfo, one for each file', async () => {
    const files = await uploaded([{ content: 'a' }, { name: 'b.txt', content: 'b' }], {
      fileInfo: [{ name: 'First', caption: 'One' }, { alternativeText: 'Two' }],
    })
    expect(files).toMatchObject([
      { name: 'First', caption: 'One', alternativeText: null },
      { name: 'b.txt', caption: null, alternativeText: 'Two' },
    ])
  })

  it.each([
    [
      'no JSON',
      '{',
      /fileInfo must be JSON .*: line 1, column 2: expected a comma or the closing bracket\.$/,
      ['fileInfo'],
    ],
    ['a number for a text', { caption: 5 }, /fileInfo\.caption must be a text/, ['fileInfo', 'caption']],
    ['a bad name', { name: 'a/b' }, /file name/, undefined],
    ['a text', '"x"', /fileInfo must be/, ['fileInfo']],
    [
      'a list of two for one file',
      [{ name: 'a' }, { name: 'b' }],
      /fileInfo has 2 objects for 1 file/,
      ['fileInfo'],
    ],
  ])('refuses fileInfo that is %s', async (_, fileInfo, message, at) => {
    const before = await site.kept()
    const { status, body } = await site.api.post('/api/upload', {
      body: form([{ content: 'a' }], { fileInfo }),
    })
    expect([status, body.error.message, body.error.details.errors?.[0].path]).toEqual([
      400,
      expect.stringMatching(message),
      at,
    ])
    expect(await site.kept()).toEqual(before)
  })

  it.each([
    ['one object', { caption: 'Of which?' }],
    ['the JSON text of one', '{"caption":"Of which?"}'],
  ])('refuses %s for two files, and stores nothing', async (_, fileInfo) => {
    const before = await site.kept()
    const { status, body } = await site.api.post('/api/upload', {
      body: form([{ content: 'a' }, { content: 'b' }], { fileInfo }),
    })
    expect([status, body.error.message, body.error.details.errors[0].path]).toEqual([
      400,
      'fileInfo of 2 files must be a list of objects, in the order of the files.',
      ['fileInfo'],
    ])
    expect(await site.kept()).toEqual(before)
  })

  it('refuses names in fileInfo that nothing reads with the option strict, and ignores them without it', async () => {
    const send = (one: Site) =>
      one.api.post('/api/upload', {
        body: form([{ content: 'a' }], { fileInfo: { alternativText: 'A lighthouse' } }),
      })
    expect((await send(site)).status).toBe(200)
    const strict = await openSite({}, { strict: true })
    try {
      const { status, body } = await send(strict)
      expect([status, body.error.message]).toEqual([
        400,
        'fileInfo has no "alternativText"; did you mean "alternativeText"?',
      ])
      expect(await strict.kept()).toEqual([])
    } finally {
      await strict.close()
    }
  })

  it('stores files that other users of the machine may neither read nor write', async () => {
    const [file] = await uploaded([{ content: 'a' }])
    const { mode } = await stat(path.join(site.folder, `${file.hash}.txt`))
    expect(mode & 0o777).toBe(0o640)
  })

  it('reads lists and single files like content: sort, filters, fields, pages', async () => {
    await uploaded([
      { name: 'z1.txt', content: 'a' },
      { name: 'z2.txt', content: 'bb' },
    ])
    const { body } = await site.api.get(
      '/api/upload/files?filters[name][$startsWith]=z&sort=name:desc&fields=name',
    )
    expect(body.map(({ name }: { name: string }) => name)).toEqual(['z2.txt', 'z1.txt'])
    const page = await site.api.get(
      '/api/upload/files?filters[name][$startsWith]=z&sort=name&pagination[pageSize]=1&fields=name',
    )
    expect(page.body).toEqual([{ id: expect.any(Number), name: 'z1.txt' }])
    expect((await site.api.get('/api/upload/files?filters[folderPath]=/')).status).toBe(400)
    expect((await site.api.get('/api/upload/files/abc')).status).toBe(404)
    expect((await site.api.get('/api/files')).status).toBe(404)
  })
})

describe('A file without content', () => {
  it('is refused alone, and stored among others', async () => {
    const alone = await site.api.post('/api/upload', { body: form([{ content: '' }]) })
    expect([alone.status, alone.body.error.message]).toEqual([400, 'Files are empty'])
    const two = await site.api.post('/api/upload', { body: form([{ content: '' }, { content: 'a' }]) })
    expect([two.status, two.body.length]).toEqual([200, 2])
  })
})

describe('A file with another name than files', () => {
  const other = (beside: FormData) => {
    beside.append('file', new Blob(['a']), 'a.txt')
    return beside
  }

  it('is refused alone, also for a file that is there, and ignored beside others', async () => {
    const [file] = await uploaded([{ content: 'a' }])
    const before = await site.kept()
    for (const query of ['', `?id=${file.id}`]) {
      const { status, body } = await site.api.post(`/api/upload${query}`, { body: other(form([])) })
      expect([status, body.error.message]).toEqual([
        400,
        'Files are empty: a file is a part with the name "files", not "file".',
      ])
    }
    expect(await site.kept()).toEqual(before)
    const { status, body } = await site.api.post('/api/upload', { body: other(form([{ content: 'a' }])) })
    expect([status, body.length]).toEqual([200, 1])
  })
})

describe('The address of a file', () => {
  it.each([
    ['its name without the extension of the file', 'a.pdf.txt', 'a_pdf'],
    ['a new name with its own extension', 'a.txt', 'b_pdf', 'b.pdf'],
    ['a name of 150 characters', `${'l'.repeat(150)}.txt`, 'l'.repeat(150)],
    ['nothing of a script that is not transliterated', '灯台.txt', ''],
  ])('has %s', async (_, name, readable, newName?: string) => {
    const [file] = await uploaded([{ name, content: 'a' }], newName ? { fileInfo: { name: newName } } : {})
    expect(file.url).toMatch(new RegExp(`^/uploads/${readable}_[0-9a-f]{10}\\.txt$`))
    expect((await fetch(site.url + file.url)).status).toBe(200)
  })
})

describe('An existing file', () => {
  it('has the same address after a replacement, without its former formats', async () => {
    const [file] = await uploaded([{ name: 'a.png', content: await picture(600, 600) }], {
      fileInfo: { caption: 'Old' },
    })
    const { status, body } = await site.api.post(`/api/upload?id=${file.id}`, {
      body: form([{ name: 'b.png', content: await picture(100, 50) }], {
        fileInfo: { alternativeText: 'New' },
      }),
    })
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        id: file.id,
        url: file.url,
        hash: file.hash,
        width: 100,
        height: 50,
        formats: {},
      }),
    ])
    expect(body).toMatchObject({ name: 'b.png', caption: 'Old', alternativeText: 'New' })
    expect((await site.kept()).filter((name) => name.includes(file.hash))).toEqual([`${file.hash}.png`])
  })

  it('keeps its content when the new file has none', async () => {
    const [file] = await uploaded([{ content: 'a' }])
    const { status, body } = await site.api.post(`/api/upload?id=${file.id}`, {
      body: form([{ content: '' }], { fileInfo: { caption: 'New' } }),
    })
    expect([status, body.size, body.caption]).toEqual([200, file.size, 'New'])
    expect(await (await fetch(site.url + file.url)).text()).toBe('a')
  })

  it('stays as it is when a plugin refuses its replacement', async () => {
    const refuses = definePlugin({
      name: 'refuses',
      setup: (host) =>
        host.hook(
          'entry:beforeUpdate',
          () => {
            throw uploadProblem('upload/type', { message: 'No.' })
          },
          { types: ['plugin::upload.file'] },
        ),
    })
    const refusing = await openSite({}, { others: [refuses] })
    try {
      const { body } = await refusing.api.post('/api/upload', { body: form([{ content: 'a' }]) })
      const kept = await refusing.kept()
      for (const other of [{ content: 'b' }, { name: 'a.png', content: await picture(600, 600) }])
        expect(
          (await refusing.api.post(`/api/upload?id=${body[0].id}`, { body: form([other]) })).status,
        ).toBe(400)
      expect(await refusing.kept()).toEqual(kept)
      expect(await (await fetch(refusing.url + body[0].url)).text()).toBe('a')
      expect((await refusing.api.get(`/api/upload/files/${body[0].id}`)).body).toEqual(body[0])
    } finally {
      await refusing.close()
    }
  })

  it('gets another extension when the new file has another type', async () => {
    const [file] = await uploaded([{ name: 'a.png', content: await picture(10, 10) }])
    const { body } = await site.api.post(`/api/upload?id=${file.id}`, { body: form([{ content: 'text' }]) })
    expect(body).toMatchObject({ hash: file.hash, ext: '.txt', mime: 'text/plain', width: null })
    expect((await site.kept()).filter((name) => name.includes(file.hash))).toEqual([`${file.hash}.txt`])
  })

  it('is not replaced by two files; an unknown one is 404', async () => {
    const [file] = await uploaded([{ content: 'a' }])
    const two = await site.api.post(`/api/upload?id=${file.id}`, {
      body: form([{ content: 'a' }, { content: 'b' }]),
    })
    expect([two.status, two.body.error.message]).toEqual([400, expect.stringContaining('one file')])
    for (const id of ['99999', 'abc', '99999999999'])
      expect((await site.api.post(`/api/upload?id=${id}`, { body: form([{ content: 'a' }]) })).status).toBe(
        404,
      )
  })

  it('is deleted with its formats and links', async () => {
    const [file] = await uploaded([{ name: 'a.png', content: await picture(600, 600) }])
    const article = await site.api.post('/api/articles?populate=gallery', {
      body: { data: { title: 'With a file', cover: file.id, gallery: [file.id] } },
    })
    expect(article.body.data.attributes.gallery.data[0].id).toBe(file.id)
    const before = await site.rows()
    expect((await site.api.delete(`/api/upload/files/${file.id}`)).status).toBe(200)
    expect(await site.rows()).toEqual({ files: before.files - 1, links: before.links - 2 })
    expect((await site.kept()).filter((name) => name.includes(file.hash))).toEqual([])
    const { body } = await site.api.get(`/api/articles/${article.body.data.id}?populate=*`)
    expect([body.data.attributes.cover, body.data.attributes.gallery]).toEqual([
      { data: null },
      { data: null },
    ])
  })

  it('is deleted from the disk when a program deletes its row', async () => {
    const [file] = await uploaded([{ content: 'a' }])
    await site.server.octavo.entries('plugin::upload.file').delete(file.id)
    expect((await site.kept()).filter((name) => name.includes(file.hash))).toEqual([])
  })

  it('stays when the transaction that deletes it is rolled back', async () => {
    const [file] = await uploaded([{ content: 'a' }])
    const undone = site.server.octavo.transaction(async (tx) => {
      await tx.entries('plugin::upload.file').delete(file.id)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect((await fetch(site.url + file.url)).status).toBe(200)
  })
})

describe('Media of an entry', () => {
  const names = (media: { data: { attributes: { name: string } }[] }) =>
    media.data.map(({ attributes }) => attributes.name)

  it('are populated like relations: fields, sort, filters, at any depth', async () => {
    const files = await uploaded(['c', 'a', 'b'].map((name) => ({ name: `${name}.txt`, content: name })))
    const ids = files.map(({ id }: { id: number }) => id)
    const { body } = await site.api.post('/api/articles', {
      body: {
        data: {
          title: 'Media',
          gallery: ids,
          seo: { image: ids[0] },
          todo: [{ task: 'x', docs: [ids[1]] }],
          blocks: [{ __component: 'shared.todo', docs: [ids[2], ids[0]] }],
        },
      },
    })
    const at = `/api/articles/${body.data.id}`
    const read = async (query: string) => (await site.api.get(`${at}?${query}`)).body.data.attributes
    expect(names((await read('populate=gallery')).gallery)).toEqual(['c.txt', 'a.txt', 'b.txt'])
    expect(names((await read('populate[gallery][sort]=name')).gallery)).toEqual(['a.txt', 'b.txt', 'c.txt'])
    expect(
      (await read('populate[gallery][fields]=name&populate[gallery][filters][name]=b.txt')).gallery,
    ).toEqual({
      data: [{ id: ids[2], attributes: { name: 'b.txt' } }],
    })
    const deep = await read('populate=seo.image,todo.docs,blocks.docs')
    expect(deep.seo.image.data.id).toBe(ids[0])
    expect(names(deep.todo[0].docs)).toEqual(['a.txt'])
    expect(names(deep.blocks[0].docs)).toEqual(['b.txt', 'c.txt'])
    for (const name of ['gallery', 'cover', 'seo][image'])
      expect((await site.api.get(`/api/articles?filters[${name}][name]=a.txt`)).status).toBe(400)
  })

  it('are uploaded for an existing entry by ref, refId and field', async () => {
    const { body } = await site.api.post('/api/articles', { body: { data: { title: 'Later' } } })
    const into = { ref: 'api::article.article', refId: String(body.data.id) }
    await uploaded(
      [
        { name: '1.txt', content: '1' },
        { name: '2.txt', content: '2' },
      ],
      { ...into, field: 'gallery' },
    )
    await uploaded([{ name: '3.txt', content: '3' }], { ...into, field: 'gallery' })
    await uploaded([{ name: 'cover.png', content: await picture(5, 5) }], { ...into, field: 'cover' })
    await uploaded([{ name: 'other.png', content: await picture(5, 5) }], { ...into, field: 'cover' })
    const { attributes } = (await site.api.get(`/api/articles/${body.data.id}?populate=*`)).body.data
    expect(names(attributes.gallery)).toEqual(['1.txt', '2.txt', '3.txt'])
    expect(attributes.cover.data.attributes.name).toBe('other.png')
  })

  it.each([
    ['an unknown type', { ref: 'api::nothing.nothing', refId: '1', field: 'cover' }, 400],
    ['a type of a plugin', { ref: 'plugin::upload.file', refId: '1', field: 'name' }, 400],
    ['an attribute that is no media', { ref: 'api::article.article', refId: '1', field: 'title' }, 400],
    ['a prototype name', { ref: '__proto__', refId: '1', field: 'constructor' }, 400],
    ['an id that is none', { ref: 'api::article.article', refId: '1 or 1=1', field: 'cover' }, 400],
    ['an entry that is not there', { ref: 'api::article.article', refId: '987654', field: 'gallery' }, 404],
    ['no field', { ref: 'api::article.article', refId: '1' }, 400],
  ])('are not uploaded into %s; nothing is kept', async (_, fields, expected) => {
    const before = [await site.kept(), await site.rows()]
    const { status } = await site.api.post('/api/upload', { body: form([{ content: 'a' }], fields) })
    expect(status).toBe(expected)
    expect([await site.kept(), await site.rows()]).toEqual(before)
  })

  it('accept the types of allowedTypes only', async () => {
    const { body } = await site.api.post('/api/articles', { body: { data: { title: 'Typed' } } })
    const into = { ref: 'api::article.article', refId: String(body.data.id), field: 'cover' }
    const refused = await site.api.post('/api/upload', { body: form([{ content: 'a' }], into) })
    expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining('images do')])
  })
})

describe('An entry and its files in one body', () => {
  it('are created together, nested into components and zones', async () => {
    const { status, body } = await site.api.post(
      '/api/articles?populate=cover,gallery,seo.image,todo.docs,blocks.docs',
      {
        body: form(
          [
            { field: 'files.cover', name: 'cover.png', content: await picture(300, 300) },
            { field: 'files.gallery', name: '1.txt', content: '1' },
            { field: 'files.gallery', name: '2.txt', content: '2' },
            { field: 'files.seo.image', name: 'seo.txt', content: 's' },
            { field: 'files.todo.1.docs', name: 'doc.txt', content: 'd' },
            { field: 'files.blocks[0].docs', name: 'block.txt', content: 'b' },
          ],
          {
            data: {
              title: 'All at once',
              seo: {},
              todo: [{ task: 'a' }, { task: 'b' }],
              blocks: [{ __component: 'shared.todo' }],
            },
          },
        ),
      },
    )
    expect([status, body.error]).toEqual([200, undefined])
    const { cover, gallery, seo, todo, blocks } = body.data.attributes
    const nameOf = ({ data }: { data: { attributes: { name: string } }[] }) =>
      data.map(({ attributes }) => attributes.name)
    expect(cover.data.attributes).toMatchObject({ name: 'cover.png', formats: { thumbnail: { width: 156 } } })
    expect(nameOf(gallery)).toEqual(['1.txt', '2.txt'])
    expect(seo.image.data.attributes.name).toBe('seo.txt')
    expect([todo[0].docs, nameOf(todo[1].docs)]).toEqual([{ data: null }, ['doc.txt']])
    expect(nameOf(blocks[0].docs)).toEqual(['block.txt'])

    const update = await site.api.put(`/api/articles/${body.data.id}?populate=gallery,todo.docs`, {
      body: form(
        [
          { field: 'files.gallery', name: '3.txt', content: '3' },
          { field: 'files.todo.0.docs', name: 'more.txt', content: 'm' },
        ],
        { data: { todo: [{ id: todo[1].id }] } },
      ),
    })
    expect(nameOf(update.body.data.attributes.gallery)).toEqual(['1.txt', '2.txt', '3.txt'])
    expect(nameOf(update.body.data.attributes.todo[0].docs)).toEqual(['doc.txt', 'more.txt'])
  })

  it.each([
    ['an attribute that is none', 'files.nothing', { title: 'A' }, /"nothing" is no media attribute/],
    ['an attribute that is no media', 'files.title', { title: 'A' }, /"title" is no media attribute/],
    ['a name without files.', 'cover', { title: 'A' }, /files\.<attribute>/],
    ['a component that data does not have', 'files.seo.image', { title: 'A' }, /data has no seo/],
    ['an item that data does not have', 'files.todo.3.docs', { title: 'A', todo: [{}] }, /data has no todo/],
    ['a path beyond media', 'files.cover.name', { title: 'A' }, /no media attribute/],
    ['a prototype', 'files.__proto__.cover', { title: 'A' }, /no media attribute/],
    ['a type that is not allowed there', 'files.cover', { title: 'A' }, /images do/],
    ['an entry that is not valid', 'files.gallery', { title: null }, /title/],
    ['data that is no JSON', 'files.gallery', '{', /data/],
  ])('are both refused for %s, and nothing is kept', async (_, field, data, message) => {
    const before = [await site.kept(), await site.rows()]
    const { status, body } = await site.api.post('/api/articles', {
      body: form([{ field, content: 'x' }], { data }),
    })
    expect([status, body.error?.message]).toEqual([400, expect.stringMatching(message)])
    expect([await site.kept(), await site.rows()]).toEqual(before)
  })

  it('take one file for an attribute of one', async () => {
    const parts = [1, 2].map(() => ({ field: 'files.seo.image', content: 'x' }))
    const { status, body } = await site.api.post('/api/articles', {
      body: form(parts, { data: { title: 'A', seo: {} } }),
    })
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('takes one file, not 2')])
  })
})

it('Media that are not localized are shared by all locales of an entry', async () => {
  const localized = { pluginOptions: { i18n: { localized: true } } }
  const others = await openSite(
    {},
    {
      contentTypes: [
        {
          kind: 'collectionType',
          info: { singularName: 'post', pluralName: 'posts' },
          ...localized,
          attributes: {
            title: { type: 'string', ...localized },
            cover: { type: 'media' },
            gallery: { type: 'media', multiple: true },
          },
        },
      ],
      components: [],
      others: [i18n({ locales: ['en', 'fr'] })],
    },
  )
  try {
    const files = await others.api.post('/api/upload', { body: form([{ content: 'a' }, { content: 'b' }]) })
    const [a, b] = files.body.map(({ id }: { id: number }) => id)
    const en = await others.api.post('/api/posts', {
      body: { data: { title: 'A', cover: a, gallery: [a, b] } },
    })
    const fr = await others.api.post(`/api/posts/${en.body.data.id}/localizations`, {
      body: { locale: 'fr', title: 'Un' },
    })
    const read = async () =>
      (await others.api.get(`/api/posts/${fr.body.id}?populate=cover,gallery`)).body.data.attributes
    const first = await read()
    expect([first.cover.data.id, first.gallery.data.map(({ id }: { id: number }) => id)]).toEqual([a, [a, b]])
    await others.api.put(`/api/posts/${en.body.data.id}`, { body: { data: { cover: b, gallery: [b] } } })
    const second = await read()
    expect([second.cover.data.id, second.gallery.data.map(({ id }: { id: number }) => id)]).toEqual([b, [b]])
  } finally {
    await others.close()
  }
})

it('Uploading needs its permission, and attaching files to an entry the permission to update it', async () => {
  const guarded = await openSite(
    {},
    { others: [usersPermissions({ permissions: { public: ['plugin::upload.content-api.upload'] } })] },
  )
  try {
    const articles = guarded.server.octavo.entries('article', unrestricted('fills the test'))
    const { id } = await articles.create({ title: 'A' })
    const post = (fields: Readonly<Record<string, string>>) =>
      guarded.api.post('/api/upload', { body: form([{ content: 'a' }], fields) })
    expect((await post({})).status).toBe(200)
    const into = await post({ ref: 'api::article.article', refId: String(id), field: 'gallery' })
    expect([into.status, await guarded.rows()]).toEqual([403, { files: 1, links: 0 }])
    for (const method of ['get', 'delete'] as const)
      expect((await guarded.api[method]('/api/upload/files/1')).status).toBe(403)
    expect((await guarded.api.get('/api/upload/files')).status).toBe(403)
    const entry = form([{ field: 'files.gallery', content: 'a' }], { data: { title: 'B' } })
    expect((await guarded.api.post('/api/articles', { body: entry })).status).toBe(403)
    expect(await guarded.rows()).toEqual({ files: 1, links: 0 })
  } finally {
    await guarded.close()
  }
})
