import { type Octavo, type Queryable, sql, type Transaction } from '@octavo/core'
import { isObject } from '@octavo/core/internal'
import type { Component, ContentType, Model, SectionHandler } from '@octavo/core/plugin'
import type { VersionCheck } from '@octavo/server'
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
    return Object.fromEntries(models.map((model) => [model.uid, layoutOf(model, stored.get(model.uid))]))
  }

  /**
   * Stores a layout.
   * @param check Checks the version of the changed layout.
   * @returns the layout as it is read from now on
   */
  async set(model: LaidOut, layout: Layout, check?: VersionCheck): Promise<Layout> {
    return this.#change(model, check, (tx) => put(tx, this.#table, model, layout))
  }

  /** Makes the layout the usual one again. @param check As that of {@link set}. */
  async reset(model: LaidOut, check?: VersionCheck): Promise<Layout> {
    const where = { uid: model.uid }
    return this.#change(model, check, (tx) => tx.rows(this.#table).delete({ where }))
  }

  #change(
    model: LaidOut,
    check: VersionCheck | undefined,
    work: (tx: Transaction) => Promise<unknown>,
  ): Promise<Layout> {
    return this.#octavo.store.transaction(async (tx) => {
      await tx.lock('octavo layouts')
      const present = async () =>
        layoutOf(model, await tx.rows(this.#table).first({ where: { uid: model.uid } }))
      check?.(JSON.stringify(await present()))
      await work(tx)
      return present()
    })
  }
}

/** The stored layout, fitted to the definition; without one the usual one. */
const layoutOf = (model: LaidOut, row: { readonly layout: string; readonly known: string } | undefined) =>
  row ? fitted(model, JSON.parse(row.layout), JSON.parse(row.known)) : usualLayout(model)

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
    const places = new Map<string, number>()
    for (const [i, item] of items.entries()) {
      if (!isObject(item) || typeof item.uid !== 'string') throw new Error(`layouts[${i}].uid must be a text`)
      const first = places.get(item.uid)
      if (first !== undefined)
        throw new Error(`layouts[${i}].uid: layouts[${first}] is of ${item.uid} as well`)
      places.set(item.uid, i)
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
