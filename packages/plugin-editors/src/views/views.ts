import { type Mistake, type Octavo, sql } from '@octavo/core'
import type { ContentType } from '@octavo/core/plugin'
import { problem } from '../problems.ts'
import type { Tables } from '../tables.ts'

const mistake = (name: string, message: string): Mistake => ({
  path: [name],
  message: `${name} ${message}`,
  name: 'ValidationError',
})

/** A view as in bodies. */
export interface ViewInput {
  /** Uid of a content-type. */
  readonly type: string
  readonly name: string
  /** The query of the list, without a question mark: `filters[status]=news&sort=title:asc`. */
  readonly query: string
  /** Whether everybody who may read the list has it. */
  readonly shared: boolean
}

/** A view as in answers. */
export interface View extends ViewInput {
  readonly id: number
  /** Whether the person who asks has made it. */
  readonly mine: boolean
}

interface StoredView extends ViewInput {
  readonly id: number
  /** The id of the editor who has made it. */
  readonly own: number
}

const longest = { name: 100, query: 8_000 } as const

/** Views that a person may have, so that no account fills the table. */
const mostOwn = 500

const columns = ['id', 'type', 'name', 'query', 'shared', 'editor_id'] as const

/** Saved filters, sorts and columns of lists, own ones and shared ones. */
export class Views {
  readonly #octavo: Octavo
  readonly #table: Tables['views']

  constructor(octavo: Octavo, table: Tables['views']) {
    this.#octavo = octavo
    this.#table = table
  }

  /** The views that a person sees, in the order in which they were made. @param types Uids of the lists that the person may see. */
  async list(editor: number, types: readonly string[]): Promise<readonly View[]> {
    const all = await this.#find({})
    return all.flatMap(({ own, ...view }) =>
      (view.shared || own === editor) && types.includes(view.type) ? [{ ...view, mine: own === editor }] : [],
    )
  }

  async find(id: number): Promise<StoredView | undefined> {
    return (await this.#find({ id }))[0]
  }

  async #find(where: { readonly id?: number }): Promise<readonly StoredView[]> {
    const rows = await this.#octavo.store
      .rows(this.#table)
      .find({ where, select: [...columns], orderBy: { id: 'asc' } })
    return rows.map(({ id, type, name, query, shared, editor_id }) => ({
      id,
      type,
      name,
      query,
      shared: shared === true,
      own: editor_id,
    }))
  }

  /** Reads a body. @param types The content-types of which the person may save views. */
  read(
    { type, name, query, shared = false }: Readonly<Record<string, unknown>>,
    types: readonly ContentType[],
  ): { readonly view?: ViewInput; readonly mistakes: readonly Mistake[] } {
    const mistakes: Mistake[] = []
    if (!types.some(({ uid }) => uid === type))
      mistakes.push(mistake('type', 'must be the uid of a content-type'))
    const label = typeof name === 'string' ? name.trim() : ''
    if (label === '' || label.length > longest.name)
      mistakes.push(mistake('name', `must be a text of 1 to ${longest.name} characters`))
    if (typeof query !== 'string' || query.length > longest.query)
      mistakes.push(mistake('query', `must be a text of at most ${longest.query} characters`))
    if (typeof shared !== 'boolean') mistakes.push(mistake('shared', 'must be true or false'))
    if (mistakes.length > 0) return { mistakes }
    return {
      view: { type: String(type), name: label, query: String(query), shared: shared === true },
      mistakes,
    }
  }

  /** @throws ApplicationError for a person who has the largest number of views */
  async add(editor: number, view: ViewInput): Promise<View> {
    const rows = this.#octavo.store.rows(this.#table)
    if ((await rows.count({ editor_id: editor })) >= mostOwn)
      throw problem('desk/too-many-views', { most: mostOwn })
    const [row] = await rows.insert(
      { ...stored(view), editor_id: editor, changed_at: sql`now()` },
      { returning: ['id'] },
    )
    return { id: row?.id ?? 0, ...view, mine: true }
  }

  async change(id: number, view: ViewInput, editor: number): Promise<View> {
    const [row] = await this.#octavo.store
      .rows(this.#table)
      .update({ where: { id }, set: { ...stored(view), changed_at: sql`now()` }, returning: ['editor_id'] })
    return { id, ...view, mine: row?.editor_id === editor }
  }

  async remove(id: number): Promise<void> {
    await this.#octavo.store.rows(this.#table).delete({ where: { id } })
  }
}

const stored = ({ type, name, query, shared }: ViewInput) => ({ type, name, query, shared })
