/** Databases of Strapi as they are after years: what comes of them, and what the report says of the rest. */
import { checkDefinitions } from '@octavo/core/internal'
import type { Registry } from '@octavo/core/plugin'
import { editors } from '@octavo/plugin-editors'
import { octavoOptions } from '@octavo/server'
import { type DumpDatabase, restoreDump, serverUrl } from '@octavo/testing'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSource, type Plan, planImport, type Source, toDefinitions } from '../src/index.ts'
import type { Schema } from '../src/records.ts'
import { fixture } from './fixture.ts'
import { pluginsOf } from './plugins.ts'

let components: readonly Schema[]
beforeAll(async () => {
  const { schemas } = await (await openSource(fixture('export.tar.gz'))).outline()
  components = schemas.filter(({ modelType }) => modelType === 'component')
})

let dump: DumpDatabase | undefined
beforeEach(async () => {
  dump = await restoreDump(fixture('editors.sql.gz'))
})
afterEach(() => dump?.drop())

/** Changes the database, and opens it. */
async function withSource<T>(
  change: string,
  use: (source: Source) => Promise<T>,
  options: { readonly components?: readonly Schema[]; readonly schema?: string } = { components },
): Promise<T> {
  await dump?.run(change)
  const source = await openSource(dump?.url ?? '', options)
  try {
    return await use(source)
  } finally {
    await source.close()
  }
}

const planOf = async (source: Source): Promise<Plan> => {
  const outline = await source.outline()
  const definitions = toDefinitions(outline.schemas)
  const registry: Registry = checkDefinitions(
    octavoOptions({
      contentTypes: definitions.contentTypes,
      components: definitions.components,
      plugins: [...pluginsOf(definitions, '.'), editors()],
    }),
  )
  return planImport(source, outline, registry, definitions.leftOut)
}

/** The values of an article. */
const article = async (source: Source, id: number): Promise<Readonly<Record<string, unknown>>> => {
  for await (const batch of source.entities()) {
    const found = batch.find((record) => record.type === 'api::article.article' && record.id === id)
    if (found) return found.data
  }
  throw new Error(`There is no article ${id}.`)
}

const date = 'must be an ISO 8601 date-time such as 2024-01-31T09:00:00.000Z, or milliseconds, not'

describe.runIf(serverUrl())('The report of an old database', () => {
  it.each<[string, string, readonly string[]]>([
    [
      'times that no text of the archive can be, in place of null and of another era',
      `update articles set starts_at = 'infinity' where id = 4;
       update articles set starts_at = '0044-03-15 12:00 BC', stamp = '-infinity' where id = 5`,
      [
        `api::article.article 4 "startsAt" ${date} "infinity"`,
        `api::article.article 5 "startsAt" ${date} "0044-03-15 12:00:00 BC"`,
        `api::article.article 5 "stamp" ${date} "-infinity"`,
      ],
    ],
    [
      'a column of text that holds no numbers',
      `alter table articles alter column rating type text using case id when 4 then 'abc' else rating::text end`,
      ['api::article.article 4 "rating" must be a number, not "abc"'],
    ],
    [
      'numbers that a decimal does not keep',
      `alter table articles alter column rating type numeric; update articles set rating = 0.123456789 where id = 4`,
      [
        'api::article.article 4 "rating" must have at most two digits after the point, as a decimal keeps no more (and a float all), not 0.123456789',
      ],
    ],
    [
      'passwords that were never hashed, without showing them',
      `update up_users set password = 'open sesame' where id = 1; update articles set secret = 'x' where id = 4`,
      [
        'api::article.article 4 "secret" must be a hash of bcrypt',
        'plugin::users-permissions.user 1 "password" must be a hash of bcrypt',
      ],
    ],
    [
      'two locales with one code, and one without',
      `insert into i18n_locale (id, name, code) values (90, 'English again', 'en'), (91, 'none', null)`,
      [
        'plugin::i18n.locale 90 "code" is "en", which 1 has too and must be unique',
        'plugin::i18n.locale 91 "code" must be a text',
      ],
    ],
    [
      'ids that no table here has',
      `insert into tags (id, name) values (-5, 'hand-made')`,
      ['api::tag.tag -5 "id" must be a whole number from 1 to 2147483647'],
    ],
  ])('names %s', async (_, change, lines) => {
    const { firstProblems } = await withSource(change, planOf)
    expect(firstProblems.map(({ type, id, message }) => `${type} ${id} ${message}`)).toEqual(lines)
  })

  it('names items of zones whose component is nowhere', async () => {
    const quote = 'blocks.quote'
    const plan = await withSource('', planOf, { components: components.filter(({ uid }) => uid !== quote) })
    expect(plan.leftOut).toContainEqual({
      what: 'api::article.article.blocks',
      why: 'has items of the component blocks.quote, which does not exist',
    })
  })

  it('counts what is in several folders, and what several roles have, of which the first counts', async () => {
    const { linksRepeated } = await withSource(
      `delete from files_folder_links; delete from up_permissions_role_links where permission_id = 1;
       insert into files_folder_links (id, file_id, folder_id) select 100 + id, 1, id from upload_folders;
       insert into up_permissions_role_links (id, permission_id, role_id) values (9001, 1, 1), (9002, 1, 2)`,
      planOf,
    )
    expect(linksRepeated).toEqual({
      'plugin::upload.file.folder': 2,
      'plugin::users-permissions.permission.role': 1,
    })
  })

  it('leaves rights off whose lists are none, and reads null as nothing', async () => {
    const { rightsLeft, firstProblems } = await withSource(
      `update admin_permissions set properties = 'null', conditions = 'null'
         where action like '%explorer.delete' or action like '%explorer.publish';
       update admin_permissions set properties = '{"fields": "title"}' where action like '%explorer.create';
       update admin_permissions set action = null where action like '%explorer.update'`,
      planOf,
    )
    expect(firstProblems).toEqual([])
    expect(new Set(rightsLeft.map(({ action, why }) => `${action.split(' ')[0]} ${why}`))).toEqual(
      new Set([
        'plugin::content-manager.explorer.create has fields, locales or conditions that are no lists of names',
      ]),
    )
  })
})

describe.runIf(serverUrl())('The content of an old database', () => {
  it('is that of an archive where JSON was stored as text, once or twice', async () => {
    const values = await withSource(
      `alter table articles alter column extra type text;
       update articles set extra = '{"a":1}' where id = 4; update articles set extra = '"[1]"' where id = 5;
       update articles set extra = 'no JSON' where id = 6`,
      async (source) => [
        (await article(source, 4)).extra,
        (await article(source, 5)).extra,
        (await article(source, 6)).extra,
      ],
    )
    expect(values).toEqual([{ a: 1 }, [1], 'no JSON'])
  })

  it('is that of an attribute whose name is longer than the names of PostgreSQL', async () => {
    const name = 'a'.repeat(70)
    await withSource(
      `alter table articles add column "${name.slice(0, 63)}" text default 'long';
       update strapi_core_store_settings
         set value = jsonb_set(value::jsonb, '{api::article.article,attributes,${name}}', '{"type":"text"}')::text
         where key = 'strapi_content_types_schema'`,
      async (source) => expect((await article(source, 4))[name]).toBe('long'),
    )
  })

  it('has an item of a component once, where its row is there twice', async () => {
    const before = await withSource('', (source) => article(source, 4))
    const after = await withSource(
      `alter table articles_components drop constraint articles_unique;
       insert into articles_components (id, entity_id, component_id, component_type, field, "order")
         select 9000 + id, entity_id, component_id, component_type, field, "order" from articles_components`,
      (source) => article(source, 4),
    )
    expect(after).toEqual(before)
  })

  it('comes from link tables of before version 4.5, which had neither ids nor orders', async () => {
    const plan = await withSource(
      `do $$ declare r record; begin
         for r in select c.table_name, c.column_name from information_schema.columns c
           where c.table_name in (select conrelid::regclass::text from pg_constraint where contype = 'f')
             and c.table_name ~ '_links$' and (c.column_name ~ '_order$' or c.column_name = 'id')
             and c.table_name !~ '^components_[a-z]+_links$'
         loop execute format('alter table %I drop column %I cascade', r.table_name, r.column_name); end loop;
       end $$`,
      planOf,
    )
    expect([plan.problems, plan.linksDropped, plan.linksRepeated]).toEqual([{}, 0, {}])
  })
})

describe.runIf(serverUrl())('An old database', () => {
  it('may have settings twice', async () => {
    const uids = await withSource(
      `insert into strapi_core_store_settings (id, key, value, type)
         select 9000 + id, key, value, type from strapi_core_store_settings`,
      async (source) => (await source.outline()).schemas.map(({ uid }) => uid),
      {},
    )
    expect(uids).toEqual([...new Set(uids)])
  })

  it('may have no tables of the rights of administrators, who stay behind then', async () => {
    const outline = await withSource('drop table admin_permissions_role_links', (source) => source.outline())
    expect(outline.editors).toBeUndefined()
    expect(outline.leftBehind).toMatchObject({ administrators: 6 })
  })

  it('may be in a schema with capitals', async () => {
    const move = `create schema "Site"; do $$ declare r record; begin
      for r in select tablename from pg_tables where schemaname = 'public'
      loop execute format('alter table %I set schema "Site"', r.tablename); end loop; end $$`
    const { schemas } = await withSource(move, (source) => source.outline(), { schema: 'Site' })
    expect(schemas.map(({ uid }) => uid)).toContain('api::article.article')
  })

  it('is refused where Strapi 5 was started on it, whose tables would be read as other entries', async () => {
    const changed = `create table strapi_migrations_internal (id serial, name varchar(255), "time" timestamp);
      alter table files add column document_id varchar(255);`
    const migrated = `insert into strapi_migrations_internal (name) values ('5.0.0-02-created-document-id')`
    await expect(withSource(`${changed} ${migrated}`, (source) => source.outline())).rejects.toThrow(
      'is a database of Strapi 5, or one of Strapi 4 that Strapi 5 was started on',
    )
  })

  it('is refused with the type that cannot be read, not with what followed from it', async () => {
    const reading = withSource('alter table articles_components drop column "order"', planOf)
    await expect(reading).rejects.toThrow(
      'Nothing was imported: api::article.article in the database cannot be read: column "order" does not exist.',
    )
  })

  it.each([
    ['null', 'has no content-types'],
    ['[]', 'has no content-types'],
    ['{"api::a.a": {"kind": "collectionType"}}', 'api::a.a has no "attributes" that are objects'],
    ['{"api::a.a": {"attributes": {"b": null}}}', 'api::a.a has no "attributes" that are objects'],
  ])('is refused where its schemas are none: %s', async (value, message) => {
    const change = `update strapi_core_store_settings set value = '${value}' where key = 'strapi_content_types_schema'`
    await expect(withSource(change, (source) => source.outline())).rejects.toThrow(message)
  })
})
