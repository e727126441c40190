/** The text and values of representative plans. Their results on a database are tested in `test/`. */
import { describe, expect, it } from 'vitest'
import { compiled, listOfViews, testCursors } from '../../test/support/compiled.ts'

/** One line per clause, for readable snapshots. */
const inLines = (text: string): string =>
  text
    .replaceAll(/ (?=(?:from|where|order by|limit|union all)\b)/g, '\n')
    .replaceAll('(select ', '(\nselect ')

const snapshot = (query: string, kind?: Parameters<typeof compiled>[1]) => {
  const { text, values } = compiled(query, kind)
  return `${inLines(text)}\n-- ${JSON.stringify(values)}`
}

describe('compilePlan', () => {
  it('counts in the same statement, and selects the page before it builds JSON', () => {
    expect(snapshot('fields=title&sort=views:desc&filters[views][$gt]=3')).toMatchInlineSnapshot(`
      "select "t2"."data", case when "t2"."found" < $1::int8 and ("t2"."found" > 0 or $2::int8 = 0) then $3::int8 + "t2"."found" else (
      select count(*) as "total"
      from "articles" as "t3"
      where "t3"."views" > $4::int8) end as "total"
      from (
      select string_agg("t0"."entry", ',') as "data", count(*) as "found"
      from (
      select ((('{"id":' || "t1"."id"::text) || (',"attributes":{"title":')) || (coalesce(to_json("t1"."title")::text, 'null') || '}}')) as "entry"
      from "articles" as "t1"
      where "t1"."views" > $5::int8
      order by "t1"."views" desc, "t1"."id"
      limit $6::int8 offset $7::int8) as "t0") as "t2"
      -- [25,0,0,"3","3",25,0]"
    `)
  })
  it('omits the count unless requested', () => {
    expect(snapshot('fields=title&pagination[withCount]=false')).toMatchInlineSnapshot(`
      "select string_agg("t0"."entry", ',') as "data"
      from (
      select ((('{"id":' || "t1"."id"::text) || (',"attributes":{"title":')) || (coalesce(to_json("t1"."title")::text, 'null') || '}}')) as "entry"
      from "articles" as "t1"
      order by "t1"."id"
      limit 25 offset 0) as "t0"
      -- []"
    `)
  })
  it('reads each range beyond a cursor separately, limited to the page', () => {
    const cursor = testCursors.encrypt(listOfViews, ['3', '7']) ?? ''
    expect(
      snapshot(`fields=title&sort=views:desc&pagination[before]=${cursor}&pagination[pageSize]=10`),
    ).toMatchInlineSnapshot(`
      "select string_agg("t0"."entry", ','
      order by "t0"."row" desc) filter (where "t0"."row" <= $1::int8) as "data", string_agg("t0"."position", ','
      order by "t0"."row" desc) filter (where "t0"."row" <= $2::int8) as "positions", count(*) as "found"
      from (
      select ((('{"id":' || "t5"."id"::text) || (',"attributes":{"title":')) || (coalesce(to_json("t5"."title")::text, 'null') || '}}')) as "entry", json_build_array("t5"."views"::text, "t5"."id"::text)::text as "position", row_number() over (order by "t5"."views", "t5"."id" desc) as "row"
      from (
      select "t4".*
      from ((
      select "t1".*
      from "articles" as "t1"
      where "t1"."views" > $3::int4
      order by "t1"."views", "t1"."id" desc
      limit $4::int8 offset $5::int8)
      union all (
      select "t2".*
      from "articles" as "t2"
      where "t2"."views" is null
      order by "t2"."views", "t2"."id" desc
      limit $6::int8 offset $7::int8)
      union all (
      select "t3".*
      from "articles" as "t3"
      where "t3"."views" = $8::int4 and "t3"."id" < $9::int4
      order by "t3"."views", "t3"."id" desc
      limit $10::int8 offset $11::int8)) as "t4"
      order by "t4"."views", "t4"."id" desc
      limit $12::int8 offset $13::int8) as "t5") as "t0"
      -- [10,10,"3",11,0,11,0,"3","7",11,0,11,0]"
    `)
  })
  it('needs no range for the first page by cursor', () => {
    const { text } = compiled('fields=title&sort=views&pagination[after]=')
    expect(text).not.toContain('union all')
    expect(text).not.toContain('count(*) as "total"')
  })
  it('finds one entry by an id that is bound at runtime', () => {
    expect(snapshot('fields=title', 'byId')).toMatchInlineSnapshot(`
      "select ((('{"id":' || "t1"."id"::text) || (',"attributes":{"title":')) || (coalesce(to_json("t1"."title")::text, 'null') || '}}')) as "entry"
      from (
      select "t0".*
      from "articles" as "t0"
      where "t0"."id" = $1::int8) as "t1"
      -- [{"name":"entry.id"}]"
    `)
  })
  it('filters over relations with exists, so that entries are returned once', () => {
    expect(snapshot('filters[tags][name][$containsi]=50%25', 'count')).toMatchInlineSnapshot(`
      "select count(*) as "total"
      from "articles" as "t0"
      where exists (
      select 1
      from "articles_tags_links" as "t2" join "tags" as "t1" on "t1"."id" = "t2"."target_id"
      where "t2"."owner_id" = "t0"."id" and lower("t1"."name") like lower($1::text))
      -- ["%50\\\\%%"]"
    `)
  })
  it('S-20: searches for a text of 64 characters or more in linear time', () => {
    const conditionFor = (length: number): string | undefined =>
      snapshot(`filters[title][$contains]=${'a'.repeat(length)}`, 'count').split('\n')[2]
    expect([conditionFor(61), conditionFor(64)]).toEqual([
      'where "t0"."title" like $1::text',
      `where "t0"."title" ~ ('***=' || $1::text)`,
    ])
  })
  it('includes entries without a related entry when the comparison is true for null', () => {
    expect(snapshot('filters[author][name][$null]=true', 'count')).toMatchInlineSnapshot(`
      "select count(*) as "total"
      from "articles" as "t0"
      where (exists (
      select 1
      from "authors" as "t1"
      where "t1"."id" = "t0"."author_id" and "t1"."name" is null) or not exists (
      select 1
      from "authors" as "t2"
      where "t2"."id" = "t0"."author_id"))
      -- []"
    `)
  })
  it('compares a foreign key of the row without a join', () => {
    expect(
      snapshot('filters[author][id][$in][]=1&filters[author][id][$in][]=2', 'count'),
    ).toMatchInlineSnapshot(`
      "select count(*) as "total"
      from "articles" as "t0"
      where "t0"."author_id" = any($1::int8[])
      -- [["1","2"]]"
    `)
  })
  it('joins components by their owner', () => {
    expect(snapshot('filters[box][rows][name]=x', 'count')).toMatchInlineSnapshot(`
      "select count(*) as "total"
      from "articles" as "t0"
      where exists (
      select 1
      from "components_parts_box" as "t1"
      where "t1"."owner_type" = 'api::article.article' and "t1"."owner_id" = "t0"."id" and "t1"."field" = 'box' and exists (
      select 1
      from "components_parts_row" as "t2"
      where "t2"."owner_type" = 'parts.box' and "t2"."owner_id" = "t1"."id" and "t2"."field" = 'rows' and "t2"."name" = $1::text))
      -- ["x"]"
    `)
  })
  it('sorts by the least or greatest related value', () => {
    expect(snapshot('fields=id&sort=tags.name:desc&pagination[withCount]=false')).toMatchInlineSnapshot(`
      "select string_agg("t0"."entry", ',') as "data"
      from (
      select (('{"id":' || "t1"."id"::text) || (',"attributes":{}}')) as "entry"
      from "articles" as "t1"
      order by (
      select "t2"."name"
      from "articles_tags_links" as "t3" join "tags" as "t2" on "t2"."id" = "t3"."target_id"
      where "t3"."owner_id" = "t1"."id"
      order by 1 desc nulls last
      limit 1) desc, "t1"."id"
      limit 25 offset 0) as "t0"
      -- []"
    `)
  })
  it('populates with subqueries: to-one, to-many with its own page, a count', () => {
    expect(
      snapshot(
        'fields=id&populate[author][fields]=name&populate[tags][limit]=2&populate[tags][sort]=name&populate[tags][fields]=name&populate[others][count]=true',
        'byId',
      ),
    ).toMatchInlineSnapshot(`
      "select (((('{"id":' || "t1"."id"::text) || (',"attributes":{"author":{"data":')) || (coalesce((
      select ((('{"id":' || "t2"."id"::text) || (',"attributes":{"name":')) || (coalesce(to_json("t2"."name")::text, 'null') || '}}')) as "json"
      from "authors" as "t2"
      where "t2"."id" = "t1"."author_id"), 'null') || '},"tags":{"data":[')) || ((coalesce((
      select string_agg("t5"."json", ',')
      from (
      select ((('{"id":' || "t3"."id"::text) || (',"attributes":{"name":')) || (coalesce(to_json("t3"."name")::text, 'null') || '}}')) as "json"
      from "articles_tags_links" as "t4" join "tags" as "t3" on "t3"."id" = "t4"."target_id"
      where "t4"."owner_id" = "t1"."id"
      order by "t3"."name", "t3"."id"
      limit 2 offset 0) as "t5"), '') || ']},"others":{"data":{"attributes":{"count":') || ((
      select count(*)
      from "articles" as "t6"
      where "t6"."first_id" = "t1"."id")::text || '}}}}}'))) as "entry"
      from (
      select "t0".*
      from "articles" as "t0"
      where "t0"."id" = $1::int8) as "t1"
      -- [{"name":"entry.id"}]"
    `)
  })
  it('collects the components of a zone in their common order', () => {
    expect(snapshot('fields=id&populate=zone', 'byId')).toMatchInlineSnapshot(`
      "select ((('{"id":' || "t1"."id"::text) || (',"attributes":{"zone":[')) || (coalesce((
      select string_agg("t5"."json", ',')
      from (
      select "t4"."json"
      from (
      select "t2"."position" as "position", ((('{"__component":"parts.box","id":' || "t2"."id"::text) || (',"name":')) || (coalesce(to_json("t2"."name")::text, 'null') || '}')) as "json"
      from "components_parts_box" as "t2"
      where "t2"."owner_type" = 'api::article.article' and "t2"."owner_id" = "t1"."id" and "t2"."field" = 'zone'
      union all select "t3"."position" as "position", ((('{"__component":"parts.row","id":' || "t3"."id"::text) || (',"name":')) || (coalesce(to_json("t3"."name")::text, 'null') || '}')) as "json"
      from "components_parts_row" as "t3"
      where "t3"."owner_type" = 'api::article.article' and "t3"."owner_id" = "t1"."id" and "t3"."field" = 'zone') as "t4"
      order by "t4"."position") as "t5"), '') || ']}}')) as "entry"
      from (
      select "t0".*
      from "articles" as "t0"
      where "t0"."id" = $1::int8) as "t1"
      -- [{"name":"entry.id"}]"
    `)
  })
})

describe('Plans of the same shape', () => {
  const textOf = (query: string): string => compiled(query).text
  it.each([
    ['another value', 'filters[title]=a', 'filters[title]=it%27s "quoted"'],
    [
      'a longer list',
      'filters[id][$in][]=1',
      'filters[id][$in][]=1&filters[id][$in][]=2&filters[id][$in][]=3',
    ],
    ['another page', 'pagination[page]=2', 'pagination[page]=7&pagination[pageSize]=50'],
    ['an unusual page size', 'pagination[pageSize]=37', 'pagination[pageSize]=83'],
    ['another first page of a filter', 'filters[views]=1', 'filters[views]=1&pagination[pageSize]=50'],
    ['the other way of paging', 'pagination[page]=2', 'pagination[start]=3&pagination[limit]=4'],
    ['another phrase', '_q=a', '_q=b%25'],
    [
      'another part of a populated list',
      'populate[tags][limit]=11',
      'populate[tags][limit]=9&populate[tags][start]=2',
    ],
  ])('have the same text: %s', (_, one, other) => {
    expect(textOf(one)).toBe(textOf(other))
  })
  it.each([
    ['another attribute', 'filters[title]=a', 'filters[views]=1'],
    ['another operator', 'filters[title]=a', 'filters[title][$ne]=a'],
    ['another direction', 'sort=title', 'sort=title:desc'],
    ['another usual first page', '', 'pagination[pageSize]=50'],
    ['another usual first part of a populated list', 'populate[tags][limit]=1', 'populate[tags][limit]=5'],
  ])('have another text: %s', (_, one, other) => {
    expect(textOf(one)).not.toBe(textOf(other))
  })
  it('contain no text of the client', () => {
    const { text, values } = compiled(
      'filters[title]=zebra1&_q=zebra2&filters[tags][name][$startsWith]=zebra3&filters[views][$in][]=98765',
    )
    expect(text).not.toMatch(/zebra|98765/)
    expect(JSON.stringify(values)).toMatch(/zebra1.*zebra3.*98765.*zebra2/)
  })
})
