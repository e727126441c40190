import { type Queryable, sql } from '@octavo/core'
import { param } from '@octavo/core/plugin'
import type { Settings } from '../options.ts'
import type { Tables } from '../tables.ts'
import { hashSecret, makeSecret } from './secret.ts'

/** `first`: for the first editor, before there is an account. */
export type LinkKind = 'first' | 'invitation' | 'reset'

export interface MadeLink {
  readonly token: string
  readonly link: string
}

/** Links that set a password. Each works once; a person has one at a time. */
export class Links {
  readonly #table: Tables['links']
  readonly #settings: Settings
  /** The address of this server. Commands of the command line make links without one: the usual address takes its place. */
  #server = `http://localhost:${process.env.PORT || 1337}`

  constructor(tables: Tables, settings: Settings) {
    this.#table = tables.links
    this.#settings = settings
  }

  /** @param url The address at which the server listens. */
  listensAt(url: string): void {
    this.#server = url
  }

  /** The address of this server. */
  get server(): string {
    return this.#server
  }

  /** Makes a link; earlier ones of the person end. @param editorId `null` for `first`. */
  async make(db: Queryable, kind: LinkKind, editorId: number | null): Promise<MadeLink> {
    const rows = db.rows(this.#table)
    await rows.delete({ where: { editor_id: editorId } })
    const token = makeSecret()
    const seconds = kind === 'reset' ? this.#settings.reset : this.#settings.invitation
    await rows.insert({
      hash: hashSecret(token),
      kind,
      editor_id: editorId,
      expires_at: sql`now() + make_interval(secs => ${param(seconds, 'int')})`,
    })
    return { token, link: `${this.#settings.acceptUrl ?? `${this.#server}/desk/accept`}#${token}` }
  }

  /** Uses a link up. @returns its person, `null` for the first editor; `undefined` when it is not valid */
  async take(db: Queryable, token: string): Promise<{ readonly editorId: number | null } | undefined> {
    const [row] = await db.rows(this.#table).delete({
      where: { hash: hashSecret(token), expires_at: { $gt: sql`now()` } },
      returning: ['editor_id'],
    })
    return row && { editorId: row.editor_id }
  }

  /** Whether a link for the first editor is valid. */
  async hasFirst(db: Queryable): Promise<boolean> {
    const rows = db.rows(this.#table)
    return (await rows.count({ kind: 'first', expires_at: { $gt: sql`now()` } })) > 0
  }

  /** Ends all links of a person. */
  async end(db: Queryable, editorId: number | null): Promise<void> {
    await db.rows(this.#table).delete({ where: { editor_id: editorId } })
  }
}
