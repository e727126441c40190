import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { webhooks } from '@octavo/plugin-webhooks'
import { type DumpDatabase, restoreDump, serverUrl } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyFiles, importStrapi, openSource, planImport, planText, type Source } from '../src/index.ts'
import { changedArchive } from './archives.ts'
import { emptySite, fixture, type Site } from './fixture.ts'

const file = 'plugin::upload.file'
const folder = 'plugin::upload.folder'
const comment = 'plugin::comments.comment'
const webhook = {
  ...{ id: 4, name: 'deploy', url: 'https://build.example.org/hook', enabled: false },
  ...{ headers: { 'x-key': 'k' }, events: ['entry.publish', 'entry.update'] },
}

describe('Parts of a project that the fixture lacks', () => {
  let directory: string
  let source: Source
  let site: Site
  let text: string
  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'octavo-comes-'))
    const archive = path.join(directory, 'export.tar.gz')
    await changedArchive(archive, ({ schemas, entities, links, configuration }) => {
      configuration.push({ type: 'webhook', value: webhook })
      schemas.push({
        uid: comment,
        modelType: 'contentType',
        kind: 'collectionType',
        collectionName: 'comments_comment',
        info: { singularName: 'comment', pluralName: 'comments', displayName: 'Comment' },
        options: { draftAndPublish: false },
        attributes: { content: { type: 'text' }, related: { type: 'relation', relation: 'morphToMany' } },
      })
      entities.push({ type: comment, id: 5, data: { content: 'Good' } })
      links.push({
        left: { type: comment, field: 'related', ref: 5 },
        right: { type: 'api::article.article', ref: 4, pos: 1 },
      })
      for (const { type, id, data } of entities)
        if (type === file && id === 3)
          Object.assign(data, {
            url: 'https://bucket.example.org/picture_3.png',
            provider: 'aws-s3',
            provider_metadata: { public_id: 'p3' },
            formats: null,
          })
        // Such as a tool has written that lost a smaller size.
        else if (type === file && id === 2) Object.assign(data, { formats: { thumbnail: null } })
      entities.push({ type: folder, id: 1, data: { name: 'Photos', pathId: 1, path: '/1' } })
      entities.push({ type: folder, id: 2, data: { name: '2024', pathId: 2, path: '/1/2' } })
      entities.push({ type: folder, id: 7, data: { name: '2024', pathId: 9, path: '/1/9' } })
      entities.push({ type: folder, id: 8, data: { name: 'a/b', pathId: 4, path: '/4' } })
      const within = (child: number, parent: number) =>
        links.push({
          left: { type: folder, field: 'parent', ref: child },
          right: { type: folder, ref: parent },
        })
      within(2, 1)
      // The name is taken there; a circle; a parent that is missing.
      within(7, 1)
      within(1, 7)
      within(8, 99)
      links.push({ left: { type: file, field: 'folder', ref: 2 }, right: { type: folder, ref: 2 } })
    })
    source = await openSource(archive)
    site = await emptySite(source, {}, undefined, [webhooks()])
    const { plan } = await importStrapi(site.server.octavo, source, await source.outline())
    text = planText(plan)
    expect(text).toMatch(/plugin::comments\.comment +1 +1/)
  })
  afterAll(async () => {
    await site?.close()
    await rm(directory, { recursive: true })
  })

  const query = (text: string) => site.server.octavo.store.query(text)

  it('has the content-type of a third-party plugin, and its polymorphic relation', async () => {
    expect(await query('select id, content from comments_comment')).toEqual([['5', 'Good']])
    const { table } = site.server.octavo.registry.contentType(comment).morphs.get('related') ?? {}
    expect(await query(`select owner_type, owner_id from "${table}"`)).toEqual([
      ['api::article.article', '4'],
    ])
  })

  it('has the webhooks, and names them where the server has no plugin for them', async () => {
    expect(text).toContain('1 webhooks come')
    expect(text).toContain('roles, API tokens and releases are not in an archive')
    expect(await query('select id, name, url, enabled::text from octavo_webhooks')).toEqual([
      ['4', webhook.name, webhook.url, 'false'],
    ])
    const report = await planImport(source, await source.outline(), site.server.octavo.registry)
    expect(report.leftBehind).toEqual({ webhooks: 1 })
  })

  it('leaves files at their provider, with its metadata', async () => {
    const [[url, provider, metadata] = []] = await query(
      'select url, provider, provider_metadata from files where id = 3',
    )
    expect([url, provider, JSON.parse(String(metadata))]).toEqual([
      'https://bucket.example.org/picture_3.png',
      'aws-s3',
      { public_id: 'p3' },
    ])
    expect(await copyFiles(source, path.join(directory, 'files'))).toMatchObject({
      elsewhere: 1,
      missing: [],
    })
  })

  it('has the folders of files, whatever their tree was like', async () => {
    expect(await query('select id, name, parent_id, path from octavo_upload_folders order by id')).toEqual([
      ['1', 'Photos', '7', '/7/1'],
      ['2', '2024', '1', '/7/1/2'],
      ['7', '2024', null, '/7'],
      ['8', 'a-b', null, '/8'],
    ])
    expect(await query('select folder_path from files where id in (1, 2) order by id')).toEqual([
      ['/'],
      ['/7/1/2'],
    ])
  })

  it('gives the id after the highest one to the next entry', async () => {
    expect(await query(`insert into tags (name) values ('next') returning id`)).toEqual([['6']])
  })
})

// The source is a PostgreSQL server, whatever the engine of the target.
describe.runIf(serverUrl())('A database with administrators and API tokens', () => {
  let dump: DumpDatabase | undefined
  beforeAll(async () => {
    dump = await restoreDump(fixture('database.sql.gz'))
    await dump?.run(`
      insert into admin_users (id, email) values (1, 'a@example.org'), (2, 'b@example.org');
      insert into strapi_webhooks (id, name) values (1, 'deploy');
      insert into strapi_api_tokens (id, name, type, access_key, expires_at) values
        (4, 'site', 'read-only', repeat('a', 128), null), (7, 'shop', 'custom', repeat('b', 128), '2030-01-01 00:00:00');
      insert into strapi_api_token_permissions (id, action) values
        (1, 'api::tag.tag.find'), (2, 'plugin::content-type-builder.components.getComponents'),
        (3, 'api::tag.tag.cloud');
      insert into strapi_api_token_permissions_token_links (id, api_token_permission_id, api_token_id) values (1, 1, 7), (2, 2, 7), (3, 3, 7);
      insert into up_permissions (id, action) values (9001, 'api::tag.tag.cloud'), (9002, 'plugin::menus.menu.find');
      insert into up_permissions_role_links (permission_id, role_id) values (9001, 2), (9002, 1)`)
  })
  afterAll(() => dump?.drop())

  it('reports the number of administrators and the permissions that allow nothing, and imports the tokens', async () => {
    const source = await openSource(dump?.url ?? '')
    const site = await emptySite(source)
    try {
      const outline = await source.outline()
      const { plan } = await importStrapi(site.server.octavo, source, outline)
      expect(plan).toMatchObject({ apiTokens: 2, leftBehind: { administrators: 2, webhooks: 1 } })
      expect(planText(plan)).toContain('administrators: 2')
      expect(plan.tokensLeft).toEqual([
        { token: 'shop', action: 'plugin::content-type-builder.components.getComponents' },
        { token: 'shop', action: 'api::tag.tag.cloud' },
      ])
      expect(plan.rolesLeft).toEqual([
        { role: 'authenticated', action: 'plugin::menus.menu.find' },
        { role: 'public', action: 'api::tag.tag.cloud' },
      ])
      expect(planText(plan)).toContain(
        `own code:\n  authenticated: plugin::menus.menu.find\n  public: api::tag`,
      )
      expect(outline.apiTokens[1]).toMatchObject({
        name: 'shop',
        permissions: [
          'api::tag.tag.find',
          'plugin::content-type-builder.components.getComponents',
          'api::tag.tag.cloud',
        ],
        expiresAt: '2030-01-01T00:00:00.000Z',
      })
    } finally {
      await site.close()
      await source.close()
    }
  })
})
