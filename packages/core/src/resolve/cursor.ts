/**
 * Cursors: where in a sorted list a page begins or ends, as a text that a client hands back. It is encrypted and
 * authenticated, so that it neither shows values nor can be made up, and says of which list it is.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync } from 'node:crypto'
import type { Model } from '../content-type/model.ts'
import { problem } from '../error/problems.ts'
import type { ParamPath, RawCursor } from '../parse/raw.ts'
import type { CursorPaging, Keyset, OrderTerm } from './plan.ts'
import type { RestDefaults } from './rest-defaults.ts'

/** The text of each sort column of an entry, in the order of the sort; `null` where it has none. */
export type Position = readonly (string | null)[]

/** Characters of a cursor: a sort column may hold a text of any length, a URL may not. */
const longest = 8_000

/** Columns that a list may be sorted by when it is walked with cursors: each is a further branch of the statement. */
const mostTerms = 8

/** Seals positions and opens them again. The same position always gives the same text, for the sake of ETags. */
export class Cursors {
  readonly #encryption: Buffer
  readonly #nonces: Buffer

  /** @param secret Known to all processes of a server, and to nobody else. */
  constructor(secret: string) {
    const derive = (use: string) => Buffer.from(hkdfSync('sha256', secret, '', `octavo cursor ${use}`, 32))
    this.#encryption = derive('encryption')
    this.#nonces = derive('nonces')
  }

  /** @param list What {@link listOf} gives. @returns `undefined` when a value is too long for a cursor. */
  seal(list: string, position: Position): string | undefined {
    const plain = JSON.stringify([list, ...position])
    // Made of the text itself: one nonce never serves two texts, and one text has one cursor.
    const nonce = createHmac('sha256', this.#nonces).update(plain).digest().subarray(0, 12)
    const cipher = createCipheriv('aes-256-gcm', this.#encryption, nonce)
    const sealed = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    const text = sealed.toString('base64url')
    return text.length <= longest ? text : undefined
  }

  /** @returns `undefined` for a text that was not sealed here. */
  open(text: string): { readonly list: string; readonly position: Position } | undefined {
    const sealed = Buffer.from(text, 'base64url')
    // Base64 may write the same bytes in several ways; ours is one of them.
    if (sealed.length < 28 || sealed.toString('base64url') !== text) return undefined
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#encryption, sealed.subarray(0, 12))
      decipher.setAuthTag(sealed.subarray(-16))
      const plain = Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()])
      const [list, ...position] = JSON.parse(plain.toString()) as [string, ...(string | null)[]] // as sealed
      return { list, position }
    } catch {
      return undefined
    }
  }
}

/** Names a list by its content-type and its sort: a cursor of one means nothing in another. */
const listOf = (model: Model, order: readonly OrderTerm[]): string =>
  createHash('sha256')
    .update(JSON.stringify([model.uid, ...order.map((term) => [term.attribute.name, term.direction])]))
    .digest('base64url')
    .slice(0, 16)

/** A page that is asked for by a cursor; it is counted only when that is asked for, since counting walks the list. */
export function resolveCursor(
  raw: RawCursor,
  order: readonly OrderTerm[],
  model: Model,
  {
    rest,
    cursors,
  }: {
    readonly rest: RestDefaults
    readonly cursors: Cursors
  },
): CursorPaging {
  return {
    kind: 'cursor',
    pageSize: Math.min(Math.max(raw.pageSize ?? rest.defaultLimit, 1), rest.maxLimit),
    withCount: raw.withCount ?? false,
    keyset: resolveKeyset(raw, order, model, cursors),
  }
}

/**
 * Where the page begins.
 *
 * @param order Ends in the id.
 * @throws ValidationError for a cursor of another list or none of ours, and for a sort that cursors cannot go by.
 */
function resolveKeyset(raw: RawCursor, order: readonly OrderTerm[], model: Model, cursors: Cursors): Keyset {
  // Nothing after the id tells two entries apart.
  const terms = order.slice(0, order.findIndex((term) => isId(term, model)) + 1)
  const through = terms.find((term) => term.path.length > 0)
  if (through) {
    const name = [...through.path.map((step) => step.attribute.name), through.attribute.name].join('.')
    const reason = `a cursor goes by fields of the entry itself, not by "${name}"; use page and pageSize, or another sort`
    throw problem('query/bad-cursor', { at: raw.at, reason })
  }
  if (terms.length > mostTerms + 1) {
    const reason = `a cursor goes by at most ${mostTerms} sort terms`
    throw problem('query/bad-cursor', { at: raw.at, reason })
  }
  const list = listOf(model, terms)
  return {
    list,
    order: terms,
    backward: raw.direction === 'before',
    position: raw.cursor === '' ? undefined : positionOf(raw.cursor, raw.at, list, cursors),
  }
}

const isId = ({ path, attribute }: OrderTerm, model: Model): boolean =>
  path.length === 0 && attribute === model.id

function positionOf(text: string, at: ParamPath, list: string, cursors: Cursors): Position {
  const opened = cursors.open(text)
  if (!opened) {
    const reason = 'this is no cursor of this server; take it from meta.pagination.cursors as it is'
    throw problem('query/bad-cursor', { at, reason })
  }
  if (opened.list !== list) {
    const reason = 'the cursor belongs to another content-type or sort; begin anew with an empty one'
    throw problem('query/bad-cursor', { at, reason })
  }
  return opened.position
}

/** The cursors of a page, in the order of the list; `null` where nothing more is to be had. */
export interface PageCursors {
  readonly before: string | null
  readonly after: string | null
}

/**
 * @param positions Of the page's entries, in the order of the list.
 * @param more Whether entries follow in the direction in which the page was taken.
 * @throws ValidationError when a value is too long for a cursor.
 */
export function cursorsOf(
  { list, backward, position, order }: Keyset,
  positions: readonly Position[],
  more: boolean,
  cursors: Cursors,
): PageCursors {
  const seal = (place: Position | undefined, wanted: boolean): string | null => {
    if (!place || !wanted) return null
    const text = cursors.seal(list, place)
    if (text !== undefined) return text
    const names = order.map((term) => term.attribute.name).join(', ')
    const reason = `a value of ${names} is too long for a cursor; sort by something shorter`
    throw problem('query/bad-cursor', { at: 'sort', reason })
  }
  // Where the page came from there is what the cursor was taken of.
  const behind = position !== undefined
  return {
    before: seal(positions[0], backward ? more : behind),
    after: seal(positions.at(-1), backward ? behind : more),
  }
}
