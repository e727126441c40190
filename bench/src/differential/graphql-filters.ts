/** Random filters of GraphQL, without what is answered otherwise on purpose: see docs/graphql.md. */
import fc from 'fast-check'
import { type GraphQLInputType, getNamedType, isInputObjectType } from 'graphql'
import { components, contentTypes } from './project.ts'
import { day, moment, time, word } from './values.ts'

export type Text = fc.Arbitrary<string>

export const oneOf = <T>(items: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...items)
export const sometimes = (percent: number, part: Text): Text =>
  fc.oneof({ weight: 100 - percent, arbitrary: fc.constant('') }, { weight: percent, arbitrary: part })

/** Values of a filter by the type of GraphQL. */
const scalars: Readonly<Record<string, Text>> = {
  String: word.map((text) => JSON.stringify(text)),
  Int: fc.integer({ min: -5, max: 20 }).map(String),
  Long: fc.nat({ max: 20 }).map((n) => `${n}000000000`),
  Float: fc.nat({ max: 1_000 }).map((n) => String(n / 8)),
  ID: fc.integer({ min: 1, max: 16 }).map((n) => `"${n}"`),
  Boolean: oneOf(['true', 'false']),
  Date: day.map((text) => `"${text}"`),
  Time: time.map((text) => `"${text}.000"`),
  DateTime: moment.map((text) => `"${text}"`),
}

/** Private attributes and passwords, which Octavo filters by for nobody, and what it does not have. */
const unfiltered = new Set([
  ...[...contentTypes, ...components].flatMap(({ attributes }) =>
    Object.entries(attributes).flatMap(([name, { type, private: isPrivate }]) =>
      type === 'password' || isPrivate ? name : [],
    ),
  ),
  ...['localizations', 'related', 'hash', 'provider', 'folder', 'folderPath'],
  ...['users', 'permissions', 'password', 'resetPasswordToken', 'confirmationToken'],
])

const isText = (name: string): boolean => /(?:starts|ends)With|ontains|eqi|nei/.test(name)

/** `{ eq: 1 }` */
function comparison(type: GraphQLInputType, depth: number): Text | undefined {
  if (!isInputObjectType(type)) return undefined
  const scalar = type.getFields().eq?.type
  const value = scalar && scalars[getNamedType(scalar).name]
  if (!scalar || !value) return undefined
  const list = (min: number, max: number) =>
    fc.array(value, { minLength: min, maxLength: max }).map((items) => `[${items.join(', ')}]`)
  const names = Object.keys(type.getFields()).filter(
    (name) =>
      !['and', 'or', 'not'].includes(name) && (getNamedType(scalar).name === 'String' || !isText(name)),
  )
  const plain = oneOf(names).chain((name): Text => {
    if (name === 'null' || name === 'notNull') return oneOf([`{ ${name}: true }`, `{ ${name}: false }`])
    if (name === 'between') return list(2, 2).map((items) => `{ between: ${items} }`)
    if (name === 'in' || name === 'notIn') return list(1, 3).map((items) => `{ ${name}: ${items} }`)
    return value.map((one) => `{ ${name}: ${one} }`)
  })
  const nots = depth > 2 ? undefined : comparison(type, depth + 1)?.map((inner) => `{ not: ${inner} }`)
  return nots ? fc.oneof({ weight: 8, arbitrary: plain }, { weight: 1, arbitrary: nots }) : plain
}

const withDrafts = new Set(
  contentTypes.filter(({ options }) => options?.draftAndPublish).map(({ info }) => nameOf(info)),
)

/** `article` → `Article` */
export function nameOf({ singularName }: { readonly singularName: string }): string {
  return singularName.replace(/^./, (first) => first.toUpperCase())
}

const mayPass = (input: string, seesDrafts: boolean): boolean =>
  input.endsWith('FiltersInput') && (seesDrafts || !withDrafts.has(input.replace('FiltersInput', '')))

/** A `…FiltersInput`. @param seesDrafts Whether the field takes `publicationState`: without it Octavo hides drafts from its filters. */
export function filters(type: GraphQLInputType, seesDrafts: boolean, depth = 0): Text {
  const named = getNamedType(type)
  if (!isInputObjectType(named)) throw new Error(`${named.name} is no input of filters`)
  const fields = Object.values(named.getFields())
  const compared: Text[] = []
  const through: Text[] = []
  for (const field of fields) {
    if (unfiltered.has(field.name) || ['and', 'or', 'not'].includes(field.name)) continue
    const one = comparison(getNamedType(field.type) as GraphQLInputType, 0)
    if (one) compared.push(one.map((text) => `{ ${field.name}: ${text} }`))
    else if (depth < 3 && mayPass(getNamedType(field.type).name, seesDrafts))
      through.push(
        fc
          .constant('')
          .chain(() => filters(field.type, seesDrafts, depth + 1))
          .map((text) => `{ ${field.name}: ${text} }`),
      )
  }
  const parts = [{ weight: 5, arbitrary: fc.oneof(...compared) }]
  if (through.length > 0) parts.push({ weight: 3, arbitrary: fc.oneof(...through) })
  if (depth < 3) {
    const below = fc.constant('').chain(() => filters(type, seesDrafts, depth + 1))
    parts.push({
      weight: 1,
      arbitrary: fc
        .tuple(oneOf(['and', 'or']), below, below)
        .map(([group, one, other]) => `{ ${group}: [${one}, ${other}] }`),
    })
    parts.push({ weight: 1, arbitrary: below.map((text) => `{ not: ${text} }`) })
  }
  return fc.oneof(...parts)
}
