import { type Mistake, OctavoError, param, sql, type Transaction, where } from '@octavo/database'
import slugify from '@sindresorhus/slugify'
import type { ContentType, ScalarAttribute } from '../../content-type/model.ts'
import type { EntryInput } from '../../content-type/types/entry-input.ts'
import { notUnique } from '../../error/entry-problems.ts'
import { onceFor } from '../../once-for.ts'
import { literal } from '../../operator/table.ts'
import { uniqueKeys } from '../../schema/tables/unique-keys.ts'

/**
 * A slug for URLs from the first thousand characters of any text (S-32): `generateUid('Les Misérables')` is `les-miserables`. A text
 * without letters and digits gives `entry`.
 */
export const generateUid = (text: string): string => slugify(text.slice(0, 1_000)) || 'entry'

/** The attributes with generated values. */
const generatedOf = onceFor(({ attributes }: ContentType): readonly ScalarAttribute[] =>
  [...attributes.values()]
    .filter((attribute) => attribute.kind === 'scalar')
    .filter(({ type, definition }) => type.name === 'uid' && definition.generate === true),
)

/** The uids that are generated in a transaction; they need not be stored yet. */
export class Uids {
  readonly #tx: Transaction
  /** The keys of each attribute: a value with those that it is unique within. */
  readonly #generated = new Map<ScalarAttribute, Set<string>>()

  constructor(tx: Transaction) {
    this.#tx = tx
  }

  /**
   * The input with a value for each uid attribute with `"generate": true` whose `targetField` has a value and
   * which the input does not set; a number is added to an existing value: `emma`, `emma-1`, `emma-2`.
   */
  async addTo(given: EntryInput, type: ContentType): Promise<EntryInput> {
    let input = given
    for (const attribute of generatedOf(type)) {
      const source = given[String(attribute.definition.targetField)]
      if ((given[attribute.name] ?? '') !== '' || typeof source !== 'string' || source === '') continue
      input = { ...input, [attribute.name]: await this.#free(generateUid(source), attribute, type, input) }
    }
    return input
  }

  /** Whether a write was refused for a value that another transaction took after it was generated here. */
  areTaken(error: unknown): boolean {
    if (!(error instanceof OctavoError)) return false
    const names = new Set([...this.#generated.keys()].map(({ name }) => name))
    const errors = (error.details.errors ?? []) as readonly Mistake[]
    return errors.some(({ path, message }) => message === notUnique && names.has(path.at(-1) ?? ''))
  }

  async #free(base: string, attribute: ScalarAttribute, type: ContentType, input: EntryInput) {
    const column = sql.id(attribute.column)
    const within = uniqueKeys(type).find((key) => key.attribute === attribute)?.within ?? []
    // Non-strings are checked against all rows.
    const same = within.flatMap((scope) => {
      const value = input[scope.name]
      return typeof value === 'string' ? [sql`${sql.id(scope.column)}::text = ${param(value, 'text')}`] : []
    })
    const similar = sql`(${column} = ${param(base, 'text')} or ${column} like ${param(`${literal(base)}-%`, 'text')})`
    const stored = sql`select ${column} as "value" from ${sql.id(type.table)}${where([similar, ...same])}`
    const used = new Set((await this.#tx.run(stored)).map(({ value }) => value))
    const known = this.#generated.get(attribute) ?? new Set()
    this.#generated.set(attribute, known)
    const keyOf = (value: string): string => JSON.stringify([value, ...within.map(({ name }) => input[name])])
    let value = base
    for (let n = 1; used.has(value) || known.has(keyOf(value)); n++) value = `${base}-${n}`
    known.add(keyOf(value))
    return value
  }
}
