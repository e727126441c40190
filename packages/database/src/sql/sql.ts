/** A value of a statement's parameter. Both engines accept it without a codec. */
export type Bindable = string | number | boolean | null | Date | readonly (string | number | boolean | null)[]

/** A value that is known only when the statement runs: the entry's id, the caller's id. The cached statement is shared. */
export interface RuntimeValue {
  readonly name: string
}

type Part = Sql | Bindable | RuntimeValue

/** A symbol of the whole process, so that fragments of two installed versions of this package can be combined. */
const mark = Symbol.for('octavo.sql')

/** An SQL fragment with its parameters, created by the tag {@link sql}. */
export interface Sql {
  readonly [mark]: true
  /** Returns the text of the fragment and appends its values to `values`. */
  appendTo(values: (Bindable | RuntimeValue)[]): string
  /** The place behind the fragment's text, without composing it, for a fragment that begins at `from`; appends its values. */
  walk(from: Place, values: (Bindable | RuntimeValue)[]): Place
}

/**
 * A place after the parts of statements that were composed before. Statements whose fragments come from the same code in the
 * same order have the same text, so the text is found by the identity of their parts. A text of thousands of characters is neither joined
 * nor hashed for each request.
 */
export class Place {
  /** The text of the statement that ends here. */
  text: string | undefined
  #behindValue: Place | undefined
  #key: unknown
  #behindKey: Place | undefined
  /** Where several fragments may follow. */
  #others: Map<unknown, Place> | undefined

  behindValue(): Place {
    this.#behindValue ??= new Place()
    return this.#behindValue
  }

  /** @param key The key of a fragment: one value for equal texts between an equal number of parts. */
  behind(key: unknown): Place {
    if (this.#key === key && this.#behindKey) return this.#behindKey
    const found = this.#others?.get(key) ?? new Place()
    if (this.#behindKey) this.#others = (this.#others ?? new Map()).set(key, found)
    else [this.#key, this.#behindKey] = [key, found]
    return found
  }
}

/**
 * Statements are composed for each write, so a fragment is only the list of its parts: the frozen nodes of a query builder
 * took 30 µs of a create.
 */
class Fragment implements Sql {
  /** One more text than parts. */
  readonly #texts: readonly string[]
  readonly #parts: readonly Part[]
  readonly #key: unknown

  /** @param key See {@link Place.behind}. Default: the texts, which are one object for each place in the code. */
  constructor(texts: readonly string[], parts: readonly Part[] = [], key: unknown = texts) {
    this.#texts = texts
    this.#parts = parts
    this.#key = key
  }

  /** The texts between its values. */
  texts(): string[] {
    const found = [this.#texts[0] as string] // there is one more text than parts
    for (const [i, part] of this.#parts.entries()) {
      const [first, ...others] = part instanceof Fragment ? part.texts() : ['', '']
      found.push(`${found.pop()}${first}`, ...others)
      found.push(`${found.pop()}${this.#texts[i + 1]}`)
    }
    return found
  }

  get [mark](): true {
    return true
  }

  appendTo(values: (Bindable | RuntimeValue)[]): string {
    let text = this.#texts[0] as string // there is one more text than parts
    for (let i = 0; i < this.#parts.length; i++) {
      const part = this.#parts[i] as Part
      text += isSql(part) ? part.appendTo(values) : `$${values.push(part)}`
      text += this.#texts[i + 1]
    }
    return text
  }

  walk(from: Place, values: (Bindable | RuntimeValue)[]): Place {
    let place = from.behind(this.#key)
    for (const part of this.#parts) {
      if (isSql(part)) place = part.walk(place, values)
      else {
        values.push(part)
        place = place.behindValue()
      }
    }
    return place
  }
}

/** A statement that was composed before, with other values. */
class ComposedStatement implements Sql {
  readonly #text: string
  readonly #values: readonly Bindable[]

  constructor(text: string, values: readonly Bindable[]) {
    this.#text = text
    this.#values = values
  }

  get [mark](): true {
    return true
  }

  /** @throws Error inside of another fragment, where its parameters would have other numbers. */
  appendTo(values: (Bindable | RuntimeValue)[]): string {
    if (values.length > 0) throw new Error('A composed statement is a whole one')
    for (const value of this.#values) values.push(value)
    return this.#text
  }

  walk(from: Place, values: (Bindable | RuntimeValue)[]): Place {
    this.appendTo(values)
    return from.behind(this.#text)
  }
}

/** A fragment whose runtime values are known. */
class BoundFragment implements Sql {
  readonly #fragment: Sql
  readonly #resolve: (value: RuntimeValue) => Bindable

  constructor(fragment: Sql, resolve: (value: RuntimeValue) => Bindable) {
    this.#fragment = fragment
    this.#resolve = resolve
  }

  get [mark](): true {
    return true
  }

  appendTo(values: (Bindable | RuntimeValue)[]): string {
    const start = values.length
    const text = this.#fragment.appendTo(values)
    this.#bind(values, start)
    return text
  }

  walk(from: Place, values: (Bindable | RuntimeValue)[]): Place {
    const start = values.length
    const place = this.#fragment.walk(from, values)
    this.#bind(values, start)
    return place
  }

  #bind(values: (Bindable | RuntimeValue)[], start: number): void {
    for (let i = start; i < values.length; i++) {
      const value = values[i]
      if (typeof value === 'object' && value !== null && 'name' in value) values[i] = this.#resolve(value)
    }
  }
}

/** The fragment with values in place of its runtime values. */
export const bound = (fragment: Sql, resolve: (value: RuntimeValue) => Bindable): Sql =>
  new BoundFragment(fragment, resolve)

export const isSql = (value: unknown): value is Sql =>
  typeof value === 'object' && value !== null && mark in value

const around = ['', '']

/** The fragments of names. The definitions have some thousands. */
const identifiers = new Map<string, Sql>()
const mostIdentifiers = 10_000

const tag = (texts: TemplateStringsArray, ...parts: readonly Part[]): Sql => new Fragment(texts, parts)

/**
 * Composes an SQL fragment. A `${value}` becomes a parameter; a `${fragment}` is inserted; identifiers are written with
 * `sql.id(name)`. Text of a request never becomes SQL.
 *
 *     sql`select count(*) as "n" from ${sql.id(type.table)} where "views" > ${least}::int4`
 */
export const sql = Object.assign(tag, {
  /** A quoted identifier: `"title"`. */
  id: (name: string): Sql => {
    const known = identifiers.get(name)
    if (known) return known
    const made = raw(name.includes('"') ? `"${name.replaceAll('"', '""')}"` : `"${name}"`)
    if (identifiers.size >= mostIdentifiers) identifiers.clear()
    identifiers.set(name, made)
    return made
  },
  /** Text of the code as SQL, never text of a request. */
  raw,
  /** A value as a literal in the text: `'api::article.article'`, `7`. For values of the definitions. */
  lit: (value: string | number | boolean | null): Sql =>
    raw(typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)),
  /** A value as a parameter. */
  val: (value: Bindable | RuntimeValue): Sql => new Fragment(around, [value]),
  /** Fragments and parameters with a separator between them, by default a comma. */
  join: (parts: readonly Part[], separator: Sql = raw(', ')): Sql =>
    parts.length === 0
      ? raw('')
      : new Fragment(
          new Array<string>(parts.length * 2).fill(''),
          parts.flatMap((part, i) => (i === 0 ? [part] : [separator, part])),
          parts.length,
        ),
})

function raw(text: string): Sql {
  return new Fragment([text], undefined, text)
}

/** The text of a statement with the values of its parameters; runtime values are bound when it runs. */
export interface Compiled {
  readonly text: string
  readonly values: readonly (Bindable | RuntimeValue)[]
}

export function toStatement(statement: Sql): Compiled {
  const values: (Bindable | RuntimeValue)[] = []
  return { text: statement.appendTo(values), values }
}

/** Characters of the texts that are known, whose places take about ten times as many bytes. */
const mostCharacters = 1_000_000

/** Counted for each value, which has places of its own. */
const charactersOfValue = 20

let root = new Place()
let characters = 0

/** As {@link toStatement}, for statements of the same few forms: the text of each is composed once. */
export function repeated(statement: Sql): Compiled {
  const values: (Bindable | RuntimeValue)[] = []
  const place = statement.walk(root, values)
  if (place.text === undefined) {
    place.text = statement.appendTo([])
    characters += place.text.length + charactersOfValue * values.length
    // Clients decide on the forms, so they are forgotten at once when they are many.
    if (characters > mostCharacters) [root, characters] = [new Place(), 0]
  }
  return { text: place.text, values }
}

/** A whole statement of a text that was composed once, which takes a tenth of the time. @param values Of `$1`, `$2`… */
export const composed = (text: string, values: readonly Bindable[]): Sql =>
  new ComposedStatement(text, values)

/**
 * A fragment whose text is composed once, for other values each time.
 * @param example The fragment with any values.
 * @returns makes the fragment with values, in the order of the text
 */
export function template(example: Sql): (values: readonly Bindable[]) => Sql {
  if (!(example instanceof Fragment)) throw new Error('A template is a fragment of this package')
  const texts = example.texts()
  return (values) => new Fragment(texts, values)
}

export const column = (alias: string, name: string): Sql => sql`${sql.id(alias)}.${sql.id(name)}`
export const table = (name: string, alias: string): Sql => sql`${sql.id(name)} as ${sql.id(alias)}`
export function join(parts: readonly Sql[], separator: string): Sql {
  const texts = new Array<string>(parts.length + 1).fill(separator)
  texts[0] = ''
  texts[parts.length] = ''
  // Begins as no text does.
  return new Fragment(texts, parts, `\0${parts.length}${separator}`)
}

/** A `where` clause of the defined conditions; empty when there are none. */
export function where(conditions: readonly (Sql | undefined)[]): Sql {
  const given = conditions.filter((c) => c !== undefined)
  return given.length === 0 ? sql`` : sql` where ${join(given, ' and ')}`
}

/** A parameter of a PostgreSQL type: `$1::int8`. The type is a literal in the code, never text of a request. */
export const param = (value: Bindable, type: string): Sql => sql`${sql.val(value)}::${sql.raw(type)}`

/** The text of a timestamp in responses and data files, in UTC: `2024-01-01T09:00:01.037Z`. */
export const isoTime = (value: Sql): Sql =>
  sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
