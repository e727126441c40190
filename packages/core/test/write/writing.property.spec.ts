/**
 * Random writes, run by Octavo and by a plain model in memory, compared after each write. Relations of all
 * kinds are written from both sides; components and zones are created, changed in place, reordered and cleared. Each sequence runs
 * with other hooks, which make some of its writes run step by step.
 */
import {
  createOctavo,
  defineComponent,
  defineContentType,
  type Entries,
  type Octavo,
  sql,
} from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { createTestDatabase, runs, testEngine } from '@octavo/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const node = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'node', pluralName: 'nodes' },
  attributes: {
    title: { type: 'string' },
    parent: { type: 'relation', relation: 'manyToOne', target: 'api::node.node', inversedBy: 'children' },
    children: { type: 'relation', relation: 'oneToMany', target: 'api::node.node', mappedBy: 'parent' },
    tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', inversedBy: 'nodes' },
    badges: { type: 'relation', relation: 'oneToMany', target: 'api::tag.tag' },
    partner: { type: 'relation', relation: 'oneToOne', target: 'api::node.node', inversedBy: 'partnerOf' },
    partnerOf: { type: 'relation', relation: 'oneToOne', target: 'api::node.node', mappedBy: 'partner' },
    box: { type: 'component', component: 'parts.box' },
    rows: { type: 'component', component: 'parts.row', repeatable: true },
    zone: { type: 'dynamiczone', components: ['parts.box', 'parts.row'] },
  },
})
const tag = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'tag', pluralName: 'tags' },
  attributes: {
    name: { type: 'string' },
    nodes: { type: 'relation', relation: 'manyToMany', target: 'api::node.node', mappedBy: 'tags' },
  },
})
const box = defineComponent({
  uid: 'parts.box',
  attributes: {
    name: { type: 'string' },
    rows: { type: 'component', component: 'parts.row', repeatable: true },
  },
})
const row = defineComponent({
  uid: 'parts.row',
  attributes: {
    text: { type: 'string' },
    tag: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag' },
  },
})

const tagCount = 5

interface Row {
  readonly text: string
  readonly tag: number | null
}
interface Box {
  name: string
  rows: Row[]
}
type Part = ({ readonly __component: 'parts.row' } & Row) | ({ readonly __component: 'parts.box' } & Box)
interface State {
  title: string | null
  parent: number | null
  partner: number | null
  badges: number[]
  box: Box | null
  rows: Row[]
  zone: Part[]
}

/** The stored entries, and the ordered lists of both sides. */
class Model {
  readonly nodes = new Map<number, State>()
  readonly children = new Map<number, number[]>()
  readonly tagsOf = new Map<number, number[]>()
  readonly nodesOf = new Map<number, number[]>()

  setParent(id: number, parent: number | null): void {
    const state = this.nodes.get(id) as State
    if (state.parent === parent) return
    if (state.parent !== null) cut(this.children, state.parent, id)
    state.parent = parent
    if (parent !== null) listOf(this.children, parent).push(id)
  }

  setPartner(id: number, partner: number | null): void {
    if (partner !== null)
      for (const [other, state] of this.nodes)
        if (other !== id && state.partner === partner) state.partner = null
    ;(this.nodes.get(id) as State).partner = partner
  }

  /** Connecting moves an existing entry to its position; its position in the tag's list does not change. */
  placeTag(id: number, tagId: number, at: (list: readonly number[]) => number): void {
    const list = listOf(this.tagsOf, id)
    const isNew = !list.includes(tagId)
    const others = list.filter((one) => one !== tagId)
    others.splice(at(others), 0, tagId)
    this.tagsOf.set(id, others)
    if (isNew) listOf(this.nodesOf, tagId).push(id)
  }

  cutTag(id: number, tagId: number): void {
    cut(this.tagsOf, id, tagId)
    cut(this.nodesOf, tagId, id)
  }

  delete(id: number): void {
    for (const child of [...listOf(this.children, id)]) this.setParent(child, null)
    this.setParent(id, null)
    for (const state of this.nodes.values()) if (state.partner === id) state.partner = null
    for (const tagId of [...listOf(this.tagsOf, id)]) this.cutTag(id, tagId)
    this.nodes.delete(id)
  }
}
function listOf(lists: Map<number, number[]>, key: number): number[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}
const cut = (lists: Map<number, number[]>, key: number, item: number): void =>
  void lists.set(
    key,
    listOf(lists, key).filter((one) => one !== item),
  )

/** Entries are identified by their index, so that any part of a sequence is a valid sequence (for shrinking). */
type Step =
  | {
      readonly kind: 'create'
      readonly title: string
      readonly parent: number | null
      readonly tags: readonly number[]
      readonly box: Box | null
    }
  | { readonly kind: 'delete'; readonly at: number }
  | {
      readonly kind: 'parent' | 'partner' | 'partnerOf'
      readonly at: number
      readonly target: number | null
      readonly form: number
    }
  | { readonly kind: 'children'; readonly at: number; readonly targets: readonly number[] }
  | { readonly kind: 'addChildren'; readonly at: number; readonly targets: readonly number[] }
  | { readonly kind: 'tags' | 'badges'; readonly at: number; readonly tags: readonly number[] }
  | {
      readonly kind: 'patchTags'
      readonly at: number
      readonly connect: readonly number[]
      readonly disconnect: readonly number[]
    }
  | {
      readonly kind: 'placeTag'
      readonly at: number
      readonly tag: number
      readonly beside: number
      readonly where: 'start' | 'end' | 'before' | 'after'
    }
  | { readonly kind: 'nodesOfTag'; readonly tag: number; readonly targets: readonly number[] }
  | { readonly kind: 'box'; readonly at: number; readonly box: Box | null }
  | { readonly kind: 'renameBox'; readonly at: number; readonly name: string }
  | { readonly kind: 'rows'; readonly at: number; readonly rows: readonly Row[] }
  | { readonly kind: 'turnRows'; readonly at: number; readonly text: string }
  | { readonly kind: 'zone'; readonly at: number; readonly zone: readonly Part[] }

const at = fc.nat(9)
const target = fc.option(fc.nat(9), { nil: null })
const text = fc.constantFrom('a', 'b', 'é', '')
const tagId = fc.integer({ min: 1, max: tagCount })
const tagIds = fc.uniqueArray(tagId, { maxLength: 4 })
const aRow = fc.record({ text, tag: fc.option(tagId, { nil: null }) })
const aBox = fc.record({ name: text, rows: fc.array(aRow, { maxLength: 2 }) })
const aPart: fc.Arbitrary<Part> = fc.oneof(
  aRow.map((r): Part => ({ __component: 'parts.row', ...r })),
  aBox.map((b): Part => ({ __component: 'parts.box', ...b })),
)
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      title: text,
      parent: target,
      tags: tagIds,
      box: fc.option(aBox, { nil: null }),
    }),
  },
  fc.record({ kind: fc.constant('delete' as const), at }),
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('parent' as const, 'partner' as const, 'partnerOf' as const),
      at,
      target,
      form: fc.nat(4),
    }),
  },
  fc.record({
    kind: fc.constantFrom('children' as const, 'addChildren' as const),
    at,
    targets: fc.uniqueArray(fc.nat(9), { maxLength: 3 }),
  }),
  fc.record({ kind: fc.constantFrom('tags' as const, 'badges' as const), at, tags: tagIds }),
  fc.record({ kind: fc.constant('patchTags' as const), at, connect: tagIds, disconnect: tagIds }),
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('placeTag' as const),
      at,
      tag: tagId,
      beside: fc.nat(4),
      where: fc.constantFrom('start' as const, 'end' as const, 'before' as const, 'after' as const),
    }),
  },
  fc.record({
    kind: fc.constant('nodesOfTag' as const),
    tag: tagId,
    targets: fc.uniqueArray(fc.nat(9), { maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant('box' as const), at, box: fc.option(aBox, { nil: null }) }),
  fc.record({ kind: fc.constant('renameBox' as const), at, name: text }),
  fc.record({ kind: fc.constant('rows' as const), at, rows: fc.array(aRow, { maxLength: 3 }) }),
  fc.record({ kind: fc.constant('turnRows' as const), at, text }),
  fc.record({ kind: fc.constant('zone' as const), at, zone: fc.array(aPart, { maxLength: 3 }) }),
)

const hookNames = [
  'entry:input',
  'entry:statements',
  'entry:beforeCreate',
  'entry:afterCreate',
  'entry:beforeUpdate',
  'entry:afterUpdate',
  'entry:beforeDelete',
  'entry:afterDelete',
] as const

/** The hooks of a sequence, each as `node entry:input`. */
const someHooks = fc.oneof(
  fc.constant([]),
  fc.subarray(['node', 'tag'].flatMap((type) => hookNames.map((hook) => `${type} ${hook}`))),
)
let running: ReadonlySet<string> = new Set()
/** The committed writes of types with `entry:statements`, each of which has a row in the log. */
let logged = 0

/** A plugin whose handlers use the database and change nothing but the log. */
const hooks = definePlugin({
  name: 'hooks',
  setup(host) {
    const log = host.table('octavo_log', { columns: { entry: { type: 'bigint' } } })
    const runs = (hook: (typeof hookNames)[number]) => ({
      when: ({ type }: { readonly type: { readonly singularName: string } }) =>
        running.has(`${type.singularName} ${hook}`),
    })
    host.hook(
      'entry:input',
      async (input, { entries }) => {
        await entries.run(sql`select 1`)
        return input
      },
      runs('entry:input'),
    )
    host.hook(
      'entry:statements',
      ({ written }) => [
        {
          when: 'after',
          statement: sql`insert into ${sql.id(log.table)} ("entry") select "w"."id" from ${written} as "w"`,
        },
      ],
      runs('entry:statements'),
    )
    for (const hook of hookNames)
      if (hook !== 'entry:input' && hook !== 'entry:statements')
        host.hook(hook, async ({ entries }) => void (await entries.run(sql`select 1`)), runs(hook))
    host.hook(
      'entry:committed',
      () => {
        logged += 1
      },
      runs('entry:statements'),
    )
  },
})

let octavo: Octavo
let drop: () => Promise<void>
let nodes: Entries
let tags: Entries
let played = 0

beforeAll(async () => {
  const database = await createTestDatabase()
  octavo = await createOctavo({
    contentTypes: [node, tag],
    components: [box, row],
    database: database.url,
    plugins: [hooks],
  })
  nodes = octavo.entries('node')
  tags = octavo.entries('tag')
  for (let i = 1; i <= tagCount; i++) await tags.create({ name: `tag ${i}` })
  drop = async () => {
    await octavo.close()
    await database.drop()
  }
})
afterAll(() => drop())

/** The forms of one related entry in a body. */
const forms: readonly ((id: number) => unknown)[] = [
  (id) => id,
  (id) => String(id),
  (id) => ({ id }),
  (id) => [id],
  (id) => ({ connect: [{ id }] }),
]

async function play(model: Model, step: Step): Promise<void> {
  const ids = [...model.nodes.keys()]
  const idAt = (place: number): number | undefined => ids[place % Math.max(ids.length, 1)]
  if (step.kind === 'create') {
    const parent = step.parent === null ? null : (idAt(step.parent) ?? null)
    const { id } = await nodes.create({ title: step.title, parent, tags: step.tags, box: step.box })
    model.nodes.set(id, {
      title: step.title,
      parent: null,
      partner: null,
      badges: [],
      box: step.box,
      rows: [],
      zone: [],
    })
    model.setParent(id, parent)
    for (const one of step.tags) model.placeTag(id, one, (list) => list.length)
    return
  }
  if (step.kind === 'nodesOfTag') {
    const targets = [...new Set(step.targets.flatMap((place) => idAt(place) ?? []))]
    await tags.update(step.tag, { nodes: targets })
    for (const one of [...listOf(model.nodesOf, step.tag)])
      if (!targets.includes(one)) model.cutTag(one, step.tag)
    for (const one of targets)
      if (!listOf(model.tagsOf, one).includes(step.tag)) listOf(model.tagsOf, one).push(step.tag)
    model.nodesOf.set(step.tag, targets)
    return
  }
  const id = idAt(step.at)
  if (id === undefined) return
  const state = model.nodes.get(id) as State
  switch (step.kind) {
    case 'delete':
      await nodes.delete(id)
      model.delete(id)
      return
    case 'parent': {
      const parent = step.target === null ? null : (idAt(step.target) ?? null)
      await nodes.update(id, { parent: parent === null ? null : forms[step.form]?.(parent) })
      return model.setParent(id, parent)
    }
    case 'partner': {
      const partner = step.target === null ? null : (idAt(step.target) ?? null)
      await nodes.update(id, { partner: partner === null ? null : forms[step.form]?.(partner) })
      return model.setPartner(id, partner)
    }
    case 'partnerOf': {
      const other = step.target === null ? null : (idAt(step.target) ?? null)
      await nodes.update(id, { partnerOf: other === null ? null : forms[step.form]?.(other) })
      for (const [key, one] of model.nodes) if (one.partner === id && key !== other) one.partner = null
      if (other !== null) (model.nodes.get(other) as State).partner = id
      return
    }
    case 'children':
    case 'addChildren': {
      const targets = [...new Set(step.targets.flatMap((place) => idAt(place) ?? []))]
      const only = step.kind === 'children'
      await nodes.update(id, { children: only ? targets : { connect: targets } })
      if (only)
        for (const child of [...listOf(model.children, id)])
          if (!targets.includes(child)) model.setParent(child, null)
      for (const child of targets) {
        // A reconnected entry is moved to the end.
        model.setParent(child, null)
        model.setParent(child, id)
      }
      return
    }
    case 'tags':
      await nodes.update(id, { tags: step.tags })
      for (const one of [...listOf(model.tagsOf, id)]) if (!step.tags.includes(one)) model.cutTag(id, one)
      for (const one of step.tags) model.placeTag(id, one, (list) => list.length)
      return
    case 'badges':
      await nodes.update(id, { badges: step.tags })
      state.badges = [...step.tags]
      return
    case 'patchTags':
      await nodes.update(id, { tags: { connect: step.connect, disconnect: step.disconnect } })
      for (const one of step.disconnect) if (!step.connect.includes(one)) model.cutTag(id, one)
      for (const one of step.connect) model.placeTag(id, one, (list) => list.length)
      return
    case 'placeTag': {
      const others = listOf(model.tagsOf, id).filter((one) => one !== step.tag)
      const beside = others[step.beside % Math.max(others.length, 1)]
      const needs = step.where === 'before' || step.where === 'after'
      if (needs && beside === undefined) return
      const position = needs ? { [step.where]: beside } : { [step.where]: true }
      await nodes.update(id, { tags: { connect: [{ id: step.tag, position }] } })
      model.placeTag(id, step.tag, (list) => {
        if (step.where === 'start') return 0
        if (step.where === 'end') return list.length
        return list.indexOf(beside as number) + (step.where === 'after' ? 1 : 0)
      })
      return
    }
    case 'box':
      await nodes.update(id, { box: step.box })
      state.box = step.box && { ...step.box }
      return
    case 'renameBox': {
      const there = (await nodes.findOne(id, { populate: 'box' }))?.attributes.box as { id: number } | null
      if (!there) return
      await nodes.update(id, { box: { id: there.id, name: step.name } })
      state.box = { ...(state.box as Box), name: step.name }
      return
    }
    case 'rows':
      await nodes.update(id, { rows: step.rows })
      state.rows = [...step.rows]
      return
    case 'turnRows': {
      const there = (await nodes.findOne(id, { populate: 'rows' }))?.attributes.rows as { id: number }[]
      const turned = there.map(({ id: rowId }) => ({ id: rowId })).reverse()
      await nodes.update(id, { rows: [...turned, { text: step.text }] })
      state.rows = [...[...state.rows].reverse(), { text: step.text, tag: null }]
      return
    }
    case 'zone':
      await nodes.update(id, { zone: step.zone })
      state.zone = [...step.zone]
      return
  }
}

const someIds = (value: unknown): number[] => (value as { data: { id: number }[] }).data.map(({ id }) => id)
const oneId = (value: unknown): number | null => (value as { data: { id: number } | null }).data?.id ?? null
/** Components without their ids, relations as ids. */
const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  if ('data' in value) return oneId(value)
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (key === 'id' ? [] : [[key, plain(item)]])),
  )
}

async function compare(model: Model): Promise<void> {
  const rows = { populate: { tag: { fields: ['name'] } } }
  const boxes = { populate: { rows } }
  const populate = {
    parent: true,
    children: true,
    tags: true,
    badges: true,
    partner: true,
    partnerOf: true,
    box: boxes,
    rows,
    zone: { populate: { rows, tag: { fields: ['name'] } } },
  }
  const { data } = await nodes.find({ populate, pagination: { pageSize: 100 } })
  const found = data.map(({ id, attributes: a }) => ({
    id,
    title: a.title,
    parent: oneId(a.parent),
    children: someIds(a.children),
    tags: someIds(a.tags),
    badges: someIds(a.badges),
    partner: oneId(a.partner),
    partnerOf: oneId(a.partnerOf),
    box: plain(a.box),
    rows: plain(a.rows),
    zone: plain(a.zone),
  }))
  const expected = [...model.nodes]
    .sort(([a], [b]) => a - b)
    .map(([id, state]) => ({
      id,
      title: state.title,
      parent: state.parent,
      children: listOf(model.children, id),
      tags: listOf(model.tagsOf, id),
      badges: state.badges,
      partner: state.partner,
      partnerOf: [...model.nodes].find(([, other]) => other.partner === id)?.[0] ?? null,
      box: state.box,
      rows: state.rows,
      zone: state.zone,
    }))
  expect(found).toEqual(expected)
  const others = await tags.find({ populate: { nodes: { fields: ['id'] } }, sort: 'id' })
  expect(others.data.map(({ id, attributes }) => [id, someIds(attributes.nodes)])).toEqual(
    others.data.map(({ id }) => [id, listOf(model.nodesOf, id)]),
  )
}

/** Rows without an owner. */
async function orphans(): Promise<number> {
  const owners = { 'api::node.node': 'nodes', 'parts.box': 'components_parts_box' }
  let count = 0
  for (const table of ['components_parts_box', 'components_parts_row']) {
    const known = Object.entries(owners).map(
      ([uid, owner]) =>
        `(part.owner_type = '${uid}' and exists (select 1 from "${owner}" as o where o.id = part.owner_id))`,
    )
    const [found] = await octavo.store.query(
      `select count(*) from "${table}" as part where not (${known.join(' or ')})`,
    )
    count += Number(found?.[0])
  }
  return count
}

/** The embedded engine takes some ten seconds for a run. */
const numRuns = testEngine() === 'pglite' ? runs(1, 8) : runs(16, 48)

const sequences = fc.array(steps, { minLength: 42, maxLength: 60, size: 'max' })

describe('Random writes', () => {
  it(
    'give the state of the model after every write, without orphans',
    async () => {
      await fc.assert(
        fc
          .asyncProperty(sequences, someHooks, async (sequence, hooks) => {
            running = new Set(hooks)
            const model = new Model()
            for (const step of sequence) {
              await play(model, step)
              await compare(model)
              played += 1
            }
            expect(await orphans()).toBe(0)
            const [rows] = await octavo.store.query('select count(*) from octavo_log')
            expect(Number(rows?.[0])).toBe(logged)
          })
          .beforeEach(async () => {
            for (const { id } of (await nodes.find({ pagination: { pageSize: 100 } })).data)
              await nodes.delete(id)
          }),
        { numRuns },
      )
      expect(played).toBeGreaterThan(numRuns * 41)
      for (const { id } of (await nodes.find({ pagination: { pageSize: 100 } })).data) await nodes.delete(id)
      for (const table of [
        'components_parts_box',
        'components_parts_row',
        'nodes_tags_links',
        'nodes_badges_links',
      ]) {
        expect([table, (await octavo.store.query(`select 1 from "${table}"`)).length]).toEqual([table, 0])
      }
    },
    runs(120_000, 1_200_000),
  )
})
