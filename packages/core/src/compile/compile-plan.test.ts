/** The text and values of representative plans. Their results on a database are tested in `test/`. */
import { describe, expect, it } from 'vitest'
import { compiled, listOfViews, testCursors } from '../../test/compiled.ts'

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
      "select "t5"."data", case when "t5"."found" < $1::int8 and ("t5"."found" > 0 or $2::int8 = 0) then $3::int8 + "t5"."found" else (
      select count(*) as "total"
      from "articles" as "t6"
      where "t6"."views" > $4::int8) end as "total"
      from (
      select string_agg("t0"."entry", ',') as "data", count(*) as "found"
      from (
      select (
      select row_to_json("t3".*)
      from (
      select "t2"."id" as "id", (
      select row_to_json("t4".*)
      from (
      select "t2"."title" as "title") as "t4") as "attributes") as "t3")::text as "entry"
      from (
      select "t1".*
      from "articles" as "t1"
      where "t1"."views" > $5::int8
      order by "t1"."views" desc, "t1"."id"
      limit $6::int8 offset $7::int8) as "t2") as "t0") as "t5"
      -- [25,0,0,"3","3",25,0]"
    `)
  })
  it('omits the count unless requested', () => {
    expect(snapshot('fields=title&pagination[withCount]=false')).toMatchInlineSnapshot(`
      "select string_agg("t0"."entry", ',') as "data"
      from (
      select (
      select row_to_json("t3".*)
      from (
      select "t2"."id" as "id", (
      select row_to_json("t4".*)
      from (
      select "t2"."title" as "title") as "t4") as "attributes") as "t3")::text as "entry"
      from (
      select "t1".*
      from "articles" as "t1"
      order by "t1"."id"
      limit 25 offset 0) as "t2") as "t0"
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
      select (
      select row_to_json("t6".*)
      from (
      select "t5"."id" as "id", (
      select row_to_json("t7".*)
      from (
      select "t5"."title" as "title") as "t7") as "attributes") as "t6")::text as "entry", json_build_array("t5"."views"::text, "t5"."id"::text)::text as "position", row_number() over (order by "t5"."views", "t5"."id" desc) as "row"
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
      "select (
      select row_to_json("t2".*)
      from (
      select "t1"."id" as "id", (
      select row_to_json("t3".*)
      from (
      select "t1"."title" as "title") as "t3") as "attributes") as "t2")::text as "entry"
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
      select (
      select row_to_json("t5".*)
      from (
      select "t4"."id" as "id", '{}'::json as "attributes") as "t5")::text as "entry"
      from (
      select "t1".*
      from "articles" as "t1"
      order by (
      select "t2"."name"
      from "articles_tags_links" as "t3" join "tags" as "t2" on "t2"."id" = "t3"."target_id"
      where "t3"."owner_id" = "t1"."id"
      order by 1 desc nulls last
      limit 1) desc, "t1"."id"
      limit 25 offset 0) as "t4") as "t0"
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
      "select (
      select row_to_json("t2".*)
      from (
      select "t1"."id" as "id", (
      select row_to_json("t16".*)
      from (
      select (
      select row_to_json("t6".*)
      from (
      select (
      select row_to_json("t5".*)
      from (
      select "t3"."id" as "id", (
      select row_to_json("t4".*)
      from (
      select "t3"."name" as "name") as "t4") as "attributes"
      from "authors" as "t3"
      where "t3"."id" = "t1"."author_id"
      limit 1) as "t5") as "data") as "t6") as "author", (
      select row_to_json("t11".*)
      from (
      select array_to_json(array(
      select row_to_json("t10".*)
      from (
      select "t7"."id" as "id", (
      select row_to_json("t9".*)
      from (
      select "t7"."name" as "name") as "t9") as "attributes"
      from "articles_tags_links" as "t8" join "tags" as "t7" on "t7"."id" = "t8"."target_id"
      where "t8"."owner_id" = "t1"."id"
      order by "t7"."name", "t7"."id"
      limit 2 offset 0) as "t10")) as "data") as "t11") as "tags", (
      select row_to_json("t15".*)
      from (
      select (
      select row_to_json("t14".*)
      from (
      select (
      select row_to_json("t13".*)
      from (
      select (
      select count(*)
      from "articles" as "t12"
      where "t12"."first_id" = "t1"."id") as "count") as "t13") as "attributes") as "t14") as "data") as "t15") as "others") as "t16") as "attributes") as "t2")::text as "entry"
      from (
      select "t0".*
      from "articles" as "t0"
      where "t0"."id" = $1::int8) as "t1"
      -- [{"name":"entry.id"}]"
    `)
  })
  it('collects the components of a zone in their common order', () => {
    expect(snapshot('fields=id&populate=zone', 'byId')).toMatchInlineSnapshot(`
      "select (
      select row_to_json("t2".*)
      from (
      select "t1"."id" as "id", (
      select row_to_json("t8".*)
      from (
      select coalesce((
      select array_to_json(array_agg("t7"."item"
      order by "t7"."position"))
      from (
      select "t3"."position" as "position", (
      select row_to_json("t4".*)
      from (
      select 'parts.box'::text as "__component", "t3"."id" as "id", "t3"."name" as "name") as "t4") as "item"
      from "components_parts_box" as "t3"
      where "t3"."owner_type" = 'api::article.article' and "t3"."owner_id" = "t1"."id" and "t3"."field" = 'zone'
      union all select "t5"."position" as "position", (
      select row_to_json("t6".*)
      from (
      select 'parts.row'::text as "__component", "t5"."id" as "id", "t5"."name" as "name") as "t6") as "item"
      from "components_parts_row" as "t5"
      where "t5"."owner_type" = 'api::article.article' and "t5"."owner_id" = "t1"."id" and "t5"."field" = 'zone') as "t7"), '[]'::json) as "zone") as "t8") as "attributes") as "t2")::text as "entry"
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
