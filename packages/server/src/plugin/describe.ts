import type { AttributeDefinition } from '@octavo/core'
import type { ContentAction, ContentType, Registry } from '@octavo/core/plugin'

/** A JSON Schema (draft 2020-12), as OpenAPI 3.1 uses it. */
export interface JsonSchema {
  readonly [keyword: string]: unknown
}

/** A parameter of an endpoint, as in OpenAPI. The parameters of a path are described without this. */
export interface ApiParameter {
  /** The name as a client writes it: `locale`, or in brackets for a part of an object. */
  readonly name: string
  readonly description?: string
  readonly required?: boolean
  /** `deepObject` writes `name[key]=value`. Default `form`. */
  readonly style?: 'form' | 'deepObject'
  /** Whether a list is written as `a=1&a=2` instead of `a=1,2`. Default true. */
  readonly explode?: boolean
  readonly schema: JsonSchema
  readonly example?: unknown
}

export interface ApiBody {
  readonly description?: string
  /** Default true. */
  readonly required?: boolean
  /** Media type → schema, and an example. */
  readonly content: Readonly<
    Record<
      string,
      { readonly schema: JsonSchema; readonly example?: unknown; readonly encoding?: JsonSchema }
    >
  >
}

export interface ApiResponse {
  readonly description: string
  /** Default: a response without a body. */
  readonly schema?: JsonSchema
  /** Default `application/json`. */
  readonly mediaType?: string
  readonly example?: unknown
}

/** The description of an endpoint. */
export interface ApiOperation {
  /** A name for generated clients: `publish-article` becomes `publishArticle`. */
  readonly id: string
  /** The group under which the endpoint is listed. */
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /**
   * The names of {@link ApiDescription.securitySchemes} of which a request needs one; empty when it needs none. An operation with this property is for
   * other callers than those of the content endpoints, so descriptions for one of these leave it out. Default: all that no operation
   * names.
   */
  readonly security?: readonly string[]
  readonly query?: readonly ApiParameter[]
  readonly body?: ApiBody
  /** Responses by status. Errors need no description: all of them have the error envelope. */
  readonly responses: Readonly<Record<number, ApiResponse>>
}

/** References to schemas of the description; a schema exists in it as soon as something refers to it. */
export interface ApiSchemas {
  readonly registry: Registry
  /** A schema that a plugin describes in {@link ApiDescription.schemas}. */
  named(name: string): JsonSchema
  /** An entry in an answer: `{ id, attributes }`. */
  entry(uid: string): JsonSchema
  /** `{ data: entry, meta }` */
  response(uid: string): JsonSchema
  /** An entry without envelopes: `{ id, title, … }`. */
  flat(uid: string): JsonSchema
  /** The attributes that a create or an update takes. @param without Attributes that it does not take. Default: none. */
  input(uid: string, action: 'create' | 'update', without?: ReadonlySet<string>): JsonSchema
}

/** The part of a plugin in the description of the API. */
export interface ApiDescription {
  /** Groups of endpoints, with a description for each. */
  readonly tags?: Readonly<Record<string, string>>
  /**
   * Endpoints by method and path as in `routes.add`: `GET /users/:id`. Descriptions of other routes are ignored, so a plugin may
   * describe a route that it adds only sometimes. `false` leaves a route out of the description.
   */
  readonly operations?: Readonly<Record<string, ApiOperation | false>>
  /** Query parameters that the plugin adds to an endpoint of a content-type. */
  readonly parameters?: (type: ContentType, action: ContentAction) => readonly ApiParameter[]
  /** The single types of which a parameter of the plugin requests all entries, as a list: see the hook `query:single`. Default: none. */
  readonly lists?: (type: ContentType) => boolean
  readonly schemas?: Readonly<Record<string, JsonSchema>>
  /** Ways to authenticate a request, as in OpenAPI. A way that an operation names holds for such operations alone. */
  readonly securitySchemes?: Readonly<Record<string, JsonSchema>>
  /** The values of the plugin's attribute types, by the name of the type. */
  readonly values?: Readonly<Record<string, (definition: AttributeDefinition) => JsonSchema>>
}
