/** Attribute types of plugins: their functions are checked, and their errors name the plugin and the attribute. */
import { type Bindable, isSql, type Sql, withOrigin } from '@octavo/database'
import type { AddedScalarType, AttributeType, LinkType, ScalarType } from '../content-type/attribute-type.ts'
import { storable } from '../content-type/attribute-types/storable.ts'
import { isObject, kindOf } from '../kinds-of-values.ts'
import { PluginError } from '../plugin/plugin-error.ts'
import { blamed, checkAttributeType, requireNow } from './checked-declarations.ts'

/** The attribute type of a plugin, checked. @throws PluginError for a type that lacks a part */
export function addedAttributeType(plugin: string, type: AttributeType): AttributeType {
  checkAttributeType(plugin, type)
  const parts = new TypeParts(plugin, `the attribute type "${type.name}"`)
  switch (type.kind) {
    case 'scalar':
      return addedScalarType(parts, type)
    case 'link':
      return addedLinkType(parts, type)
    case 'siblings':
      return type
  }
}

interface Expected {
  /** For messages: `a text`. */
  readonly expected: string
  readonly accepts: (value: unknown) => boolean
}

/** Calls the functions of an attribute type. Their errors and their results of another kind name the plugin. */
class TypeParts {
  readonly #plugin: string
  readonly #what: string

  /** @param what `the attribute type "rating" of api::film.film.stars` */
  constructor(plugin: string, what: string) {
    this.#plugin = plugin
    this.#what = what
  }

  of(attribute: string): TypeParts {
    return new TypeParts(this.#plugin, `${this.#what} of ${attribute}`)
  }

  /** @throws PluginError for an `async` function, whose result nothing waits for */
  requireNow(name: string, given: unknown): void {
    requireNow(this.#plugin, `${this.#what}: ${name}`, given)
  }

  /** The result of a function, which is used at once. @throws PluginError */
  call<T>(name: string, work: () => T, expected: Expected): T {
    const result = blamed(this.#plugin, `${this.#what}: ${name}`, work)
    this.#check(name, result, expected)
    return result
  }

  /** A value that is bound to a parameter. @throws InvalidValue for a text that PostgreSQL cannot store */
  value(name: string, work: () => Bindable): Bindable {
    const value = this.call(name, work, bindable)
    return typeof value === 'string' ? storable(value) : value
  }

  sql(name: string, work: () => Sql): Sql {
    return this.call(name, work, fragment)
  }

  /** A fragment of a read, which names the plugin in the log when the database refuses the statement. */
  read(name: string, work: () => Sql): Sql {
    return withOrigin(this.sql(name, work), `${this.#what} of the plugin "${this.#plugin}"`)
  }

  async hash(work: () => Promise<Bindable>): Promise<Bindable> {
    let result: Bindable
    try {
      result = await work()
    } catch (error) {
      return blamed(this.#plugin, `${this.#what}: hash`, () => {
        throw error
      })
    }
    this.#check('hash', result, hashed)
    return result
  }

  #check(name: string, result: unknown, { expected, accepts }: Expected): void {
    if (accepts(result)) return
    throw new PluginError(
      this.#plugin,
      undefined,
      `${this.#what}: ${name} returned ${shown(result)}, not ${expected}`,
    )
  }
}

function addedScalarType(parts: TypeParts, type: ScalarType): AddedScalarType {
  for (const name of immediate) if (type[name] !== undefined) parts.requireNow(name, type[name])
  return {
    ...checkedScalarType(parts, type),
    forAttribute: (attribute) => checkedScalarType(parts.of(attribute), type),
  }
}

const immediate = [
  'column',
  'check',
  'fromQuery',
  'fromJson',
  'constraints',
  'isHashed',
  'toJson',
  'toJsonText',
  'toText',
] as const satisfies readonly (keyof ScalarType)[]

/** The functions are called as methods of the type, which may be an object of a class. */
function checkedScalarType(parts: TypeParts, type: ScalarType): ScalarType {
  return {
    kind: 'scalar',
    name: type.name,
    parameter: type.parameter,
    operators: type.operators,
    search: type.search,
    secret: type.secret,
    ...(type.keys && { keys: type.keys }),
    ...(type.emptyOperand !== undefined && { emptyOperand: type.emptyOperand }),
    column: (definition) => parts.call('column', () => type.column(definition), text),
    check: (definition) => parts.call('check', () => type.check(definition), mistakes),
    fromQuery: (given, definition) => parts.value('fromQuery', () => type.fromQuery(given, definition)),
    fromJson: (given, definition) => parts.value('fromJson', () => type.fromJson(given, definition)),
    constraints: (value, definition) =>
      parts.call('constraints', () => type.constraints(value, definition), texts),
    ...(type.hash && {
      hash: (value: Bindable) => parts.hash(async () => (await type.hash?.(value)) as Bindable),
    }),
    ...(type.isHashed && {
      isHashed: (value: Bindable) =>
        parts.call('isHashed', () => type.isHashed?.(value) as boolean, trueOrFalse),
    }),
    toJson: (column) => parts.read('toJson', () => type.toJson(column)),
    ...(type.toJsonText && {
      toJsonText: (column: Sql) => parts.read('toJsonText', () => type.toJsonText?.(column) as Sql),
    }),
    // Without its origin: the expression of a stored search would differ from that of the database.
    toText: (column) => parts.sql('toText', () => type.toText(column)),
  }
}

function addedLinkType(parts: TypeParts, type: LinkType): LinkType {
  for (const name of ['many', 'check'] as const) parts.requireNow(name, type[name])
  return {
    kind: 'link',
    name: type.name,
    target: type.target,
    table: type.table,
    column: type.column,
    filterable: type.filterable,
    empty: type.empty,
    ...(type.usesName !== undefined && { usesName: type.usesName }),
    ...(type.keys && { keys: type.keys }),
    many: (definition) => parts.call('many', () => type.many(definition), trueOrFalse),
    check: (definition) => parts.call('check', () => type.check(definition), mistakes),
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isOneValue = (value: unknown): boolean =>
  value === null || isText(value) || typeof value === 'boolean' || Number.isFinite(value)
const isBindable = (value: unknown): boolean =>
  isOneValue(value) ||
  (value instanceof Date && !Number.isNaN(value.getTime())) ||
  (Array.isArray(value) && value.every(isOneValue))

const text: Expected = { expected: 'a text', accepts: isText }
const trueOrFalse: Expected = { expected: 'true or false', accepts: (value) => typeof value === 'boolean' }
const texts: Expected = {
  expected: 'a list of texts',
  accepts: (value) => Array.isArray(value) && value.every(isText),
}
const mistakes: Expected = {
  expected: 'a list of mistakes, each { path, message }',
  accepts: (value) =>
    Array.isArray(value) &&
    value.every((one) => isObject(one) && Array.isArray(one.path) && isText(one.message)),
}
const fragment: Expected = { expected: 'a fragment of sql`…`', accepts: isSql }
const bindable: Expected = {
  expected:
    'a text, a finite number, a boolean, a date or a list; it throws an InvalidValue for a value that is none of the type',
  accepts: isBindable,
}
const hashed: Expected = {
  expected: 'the hash of the value',
  accepts: (value) => value !== null && isBindable(value),
}

const shown = (value: unknown): string =>
  typeof value === 'number' && !Number.isFinite(value)
    ? String(value)
    : value instanceof Date
      ? 'an invalid date'
      : kindOf(value)
