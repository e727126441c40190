/**
 * Cursors: the position in a sorted list where a page begins or ends, as an opaque text. It is encrypted and
 * authenticated, so that it neither reveals values nor can be forged, and it identifies its list.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync } from 'node:crypto'
import type { Model } from '../content-type/model.ts'
import { problem } from '../error/problems.ts'
import type { ParamPath, RawCursor } from '../parse/raw.ts'
import { cursorPaging } from '../plan/nodes.ts'
import type { CursorPaging, Keyset, OrderTerm } from '../plan/plan.ts'
import type { RestDefaults } from './rest-defaults.ts'

/** The text of each sort column of an entry, in the order of the sort; `null` for a null value. */
export type CursorPosition = readonly (string | null)[]

/** Maximum characters of a cursor: a sort column may contain a text of any length, a URL may not. */
const longest = 8_000

/** Maximum sort columns of a list with cursors: each adds a branch to the statement. */
const mostTerms = 8

/** Encrypts and decrypts positions. A position always has one text, so that ETags are stable. */
export class Cursors {
  readonly #encryption: Buffer
  readonly #nonces: Buffer

  /** @param secret Shared by all processes of a server. */
  constructor(secret: string) {
    const derive = (use: string) => Buffer.from(hkdfSync('sha256', secret, '', `octavo cursor ${use}`, 32))
    this.#encryption = derive('encryption')
    this.#nonces = derive('nonces')
  }

  /** @param list The result of {@link listOf}. @returns `undefined` when a value is too long for a cursor. */
  encrypt(list: string, position: CursorPosition): string | undefined {
    const plain = JSON.stringify([list, ...position])
    // Derived from the text: a nonce is never used for two texts, and a text has one cursor.
    const nonce = createHmac('sha256', this.#nonces).update(plain).digest().subarray(0, 12)
    const cipher = createCipheriv('aes-256-gcm', this.#encryption, nonce)
    const encrypted = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    const text = encrypted.toString('base64url')
    return text.length <= longest ? text : undefined
  }

  /** @returns `undefined` for a text that this server did not encrypt. */
  decrypt(text: string): { readonly list: string; readonly position: CursorPosition } | undefined {
    const encrypted = Buffer.from(text, 'base64url')
    // Base64 has several encodings of the same bytes; only one is accepted.
    if (encrypted.length < 28 || encrypted.toString('base64url') !== text) return undefined
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#encryption, encrypted.subarray(0, 12))
      decipher.setAuthTag(encrypted.subarray(-16))
      const plain = Buffer.concat([decipher.update(encrypted.subarray(12, -16)), decipher.final()])
      const [list, ...position] = JSON.parse(plain.toString()) as [string, ...(string | null)[]] // as encrypted above
      return { list, position }
    } catch {
      return undefined
    }
  }
}

/** Names a list by its content-type and its sort: a cursor is valid for one list only. */
const listOf = (model: Model, order: readonly OrderTerm[]): string =>
  createHash('sha256')
    .update(JSON.stringify([model.uid, ...order.map((term) => [term.attribute.name, term.direction])]))
    .digest('base64url')
    .slice(0, 16)

/** Resolves a page by cursor. The total is counted only on request, since counting reads the whole list. */
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
  return cursorPaging({
    pageSize: Math.min(Math.max(raw.pageSize ?? rest.defaultLimit, 1), rest.maxLimit),
    withCount: raw.withCount ?? false,
    keyset: resolveKeyset(raw, order, model, cursors),
  })
}

/**
 * The position where the page begins.
 *
 * @param order Ends in the id.
 * @throws ValidationError for an invalid cursor, a cursor of another list, and a sort that cursors do not support.
 */
function resolveKeyset(raw: RawCursor, order: readonly OrderTerm[], model: Model, cursors: Cursors): Keyset {
  // The id is unique, so later terms have no effect.
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

function positionOf(text: string, at: ParamPath, list: string, cursors: Cursors): CursorPosition {
  const opened = cursors.decrypt(text)
  if (!opened) {
    const reason = 'this is not a cursor of this server; send the text in meta.pagination.cursors unchanged'
    throw problem('query/bad-cursor', { at, reason })
  }
  if (opened.list !== list) {
    const reason = 'the cursor belongs to another content-type or sort; start again with an empty one'
    throw problem('query/bad-cursor', { at, reason })
  }
  return opened.position
}

/** The cursors of a page, in the order of the list; `null` where there are no further entries. */
export interface PageCursors {
  readonly before: string | null
  readonly after: string | null
}

/**
 * @param positions The positions of the page's entries, in the order of the list.
 * @param more Whether entries follow in the direction of the page.
 * @throws ValidationError when a value is too long for a cursor.
 */
export function cursorsOf(
  { list, backward, position, order }: Keyset,
  positions: readonly CursorPosition[],
  more: boolean,
  cursors: Cursors,
): PageCursors {
  const write = (place: CursorPosition | undefined, exists: boolean): string | null => {
    if (!place || !exists) return null
    const text = cursors.encrypt(list, place)
    if (text !== undefined) return text
    const names = order.map((term) => term.attribute.name).join(', ')
    const reason = `a value of ${names} is too long for a cursor; sort by something shorter`
    throw problem('query/bad-cursor', { at: 'sort', reason })
  }
  // In the opposite direction there is at least the entry of the given cursor.
  const behind = position !== undefined
  return {
    before: write(positions[0], backward ? more : behind),
    after: write(positions.at(-1), backward ? behind : more),
  }
}
