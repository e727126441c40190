import { type Octavo, type Queryable, sql } from '@octavo/core'
import { isObject } from '@octavo/core/internal'
import type { Component, ContentType, Model, SectionHandler } from '@octavo/core/plugin'
import type { Tables } from '../tables.ts'
import { fitted, formNames, type LaidOut, type Layout, laidOut, usualLayout } from './layout.ts'
import { readLayout } from './read-layout.ts'

/** The stored layouts. */
export class Layouts {
  readonly #octavo: Octavo
  readonly #table: Tables['layouts']

  constructor(octavo: Octavo, table: Tables['layouts']) {
    this.#octavo = octavo
    this.#table = table
  }

  /** The layouts of content-types and of the components in them, by uid: stored ones, fitted to the definitions, or usual ones. */
  async of(types: readonly ContentType[]): Promise<Readonly<Record<string, Layout>>> {
    const models = [...types, ...componentsIn(types, this.#octavo)]
    const rows = await this.#octavo.store.rows(this.#table).find({ select: ['uid', 'layout', 'known'] })
    const stored = new Map(rows.map((row) => [row.uid, row]))
    return Object.fromEntries(
      models.map((model) => {
        const row = stored.get(model.uid)
        return [
          model.uid,
          row ? fitted(model, JSON.parse(row.layout), JSON.parse(row.known)) : usualLayout(model),
        ]
      }),
    )
  }

  async set(model: LaidOut, layout: Layout): Promise<void> {
    await this.#octavo.store.transaction((tx) => put(tx, this.#table, model, layout))
  }

  /** Makes the layout the usual one again. */
  async reset(model: LaidOut): Promise<void> {
    await this.#octavo.store.rows(this.#table).delete({ where: { uid: model.uid } })
  }
}

async function put(db: Queryable, table: Tables['layouts'], model: LaidOut, layout: Layout): Promise<void> {
  const values = {
    layout: JSON.stringify(layout),
    known: JSON.stringify(formNames(model)),
    changed_at: sql`now()`,
  }
  const rows = db.rows(table)
  const changed = await rows.update({ where: { uid: model.uid }, set: values, returning: ['uid'] })
  if (changed.length === 0) await rows.insert({ uid: model.uid, ...values })
}

/** The components that content-types have, directly or in others. */
function componentsIn(types: readonly ContentType[], { registry }: Octavo): readonly Component[] {
  const found = new Map<string, Component>()
  const add = (owner: Model): void => {
    for (const attribute of owner.attributes.values()) {
      const uids =
        attribute.kind === 'component'
          ? [attribute.component]
          : attribute.kind === 'zone'
            ? attribute.components
            : []
      for (const uid of uids) {
        if (found.has(uid)) continue
        found.set(uid, registry.component(uid))
        add(registry.component(uid))
      }
    }
  }
  types.forEach(add)
  return [...found.values()]
}

/** Layouts in data files and imports: `{ uid, layout }`. Layouts of models that do not exist are left out. */
export const layoutsSection = (octavo: () => Octavo, table: Tables['layouts']): SectionHandler => ({
  async import(items, tx) {
    for (const [i, item] of items.entries()) {
      if (!isObject(item) || typeof item.uid !== 'string') throw new Error(`layouts[${i}].uid must be a text`)
      const model = laidOut(octavo().registry, item.uid)
      if (!model) continue
      const { layout, mistakes } = readLayout(item.layout, model)
      if (!layout) throw new Error(`layouts[${i}]: ${mistakes[0]?.message}`)
      await put(tx, table, model, layout)
    }
  },
  async export(tx) {
    const rows = await tx.rows(table).find({ select: ['uid', 'layout', 'known'], orderBy: { uid: 'asc' } })
    return rows.flatMap(({ uid, layout, known }) => {
      const model = laidOut(octavo().registry, uid)
      return model ? [{ uid, layout: fitted(model, JSON.parse(layout), JSON.parse(known)) }] : []
    })
  },
})
