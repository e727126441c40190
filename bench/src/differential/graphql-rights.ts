/** Compares answers of GraphQL to a user whose role has some rights. */
import { type GraphQLObjectType, type GraphQLSchema, getNamedType, isObjectType } from 'graphql'
import { type Answer, isObject } from './compare.ts'
import type { GraphqlKind } from './graphql-answers.ts'
import { nameOf } from './graphql-filters.ts'
import { uidOf } from './model.ts'
import { contentTypes } from './project.ts'

interface Body {
  readonly data?: Readonly<Record<string, unknown>> | null
  readonly errors: readonly GraphqlKind[]
}

type Type = GraphQLObjectType | undefined

/** The actions that find entries, by the name of their type in GraphQL. */
const findActions: ReadonlyMap<string, string> = new Map([
  ...contentTypes.map((type) => [nameOf(type.info), `${uidOf(type)}.find`] as const),
  ['UploadFile', 'plugin::upload.content-api.find'],
  ['UsersPermissionsUser', 'plugin::users-permissions.user.find'],
  ['UsersPermissionsRole', 'plugin::users-permissions.role.find'],
])

/**
 * A relation to what the caller may not find is empty in Octavo; in the reference it is null, with an error, and inside a component it has
 * its entries.
 */
export class GraphqlRights {
  readonly #schema: GraphQLSchema
  readonly #rights: ReadonlySet<string>

  constructor(schema: GraphQLSchema, rights: ReadonlySet<string>) {
    this.#schema = schema
    this.#rights = rights
  }

  /** The differences of two answers to a query with one root field. */
  differences(document: string, theirs: Answer, ours: Answer): readonly string[] {
    if (ours.status >= 500) return [`${ours.status}: ${JSON.stringify(ours.body)}`]
    if (theirs.status >= 500) return []
    const [wanted, given] = [theirs.body, ours.body] as readonly [Body, Body]
    const [wantedKind, givenKind] = [kindOf(wanted), kindOf(given)]
    // Octavo refuses the root field for what the arguments of a field below it may not name.
    if (givenKind.startsWith('BAD_USER_INPUT') && wantedKind === 'data' && isFilteredBelow(document))
      return []
    if (wantedKind !== givenKind) return [`${givenKind}, wanted ${wantedKind}`]
    return [...this.#inValue(wanted.data, given.data, this.#schema.getQueryType() ?? undefined, '')].slice(
      0,
      5,
    )
  }

  *#inValue(wanted: unknown, given: unknown, type: Type, at: string): Generator<string> {
    if (this.#isHidden(type, at) && isEmpty(given)) return
    if (Array.isArray(wanted) && Array.isArray(given)) {
      if (wanted.length !== given.length) yield `${at}: ${given.length} items, wanted ${wanted.length}`
      for (let i = 0; i < Math.min(wanted.length, given.length); i++)
        yield* this.#inValue(wanted[i], given[i], type, `${at}[${i}]`)
    } else if (isObject(wanted) && isObject(given)) yield* this.#inObject(wanted, given, type, at)
    // Times of the run differ between servers.
    else if (wanted !== given && !(/At$/.test(at) && wanted && given))
      yield `${at}: ${JSON.stringify(given)}, wanted ${JSON.stringify(wanted)}`
  }

  *#inObject(
    wanted: Readonly<Record<string, unknown>>,
    given: Readonly<Record<string, unknown>>,
    type: Type,
    at: string,
  ): Generator<string> {
    const named = typeof wanted.__typename === 'string' ? this.#schema.getType(wanted.__typename) : type
    const fields = isObjectType(named) ? named.getFields() : {}
    for (const key of new Set([...Object.keys(wanted), ...Object.keys(given)])) {
      // The ids of components differ between servers.
      if (key === 'id' && isObjectType(named) && named.name.startsWith('Component')) continue
      const below = fields[key] && getNamedType(fields[key].type)
      const place = at === '' ? key : `${at}.${key}`
      yield* this.#inValue(wanted[key], given[key], isObjectType(below) ? below : undefined, place)
    }
  }

  /** Whether a place is a relation to entries that the caller may not find. A root field has no dot. */
  #isHidden(type: Type, at: string): boolean {
    const [, name = ''] = /^(.+?)(?:EntityResponse|RelationResponseCollection)$/.exec(type?.name ?? '') ?? []
    const action = findActions.get(name)
    return at.includes('.') && action !== undefined && !this.#rights.has(action)
  }
}

const isFilteredBelow = (document: string): boolean => /\{ data \{.*filters: /.test(document)

/** Whether the root field has a value, or else its error. */
function kindOf({ data, errors }: Body): string {
  if (Object.values(data ?? {}).some((value) => value !== null)) return 'data'
  const [first] = errors
  return first ? `${first.code} ${first.name}` : 'null'
}

/** Whether a relation has no entries, or the selection none of its data. */
const isEmpty = (relation: unknown): boolean =>
  isObject(relation) && (relation.data === undefined || [relation.data].flat().every((one) => one === null))
