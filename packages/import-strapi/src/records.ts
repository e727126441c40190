/**
 * The records of a Strapi 4 export, as in the lines of an archive. Every source has the same records, so that later
 * steps do not depend on the source.
 */

export type Data = Readonly<Record<string, unknown>>

/** An attribute of a schema: `type` and what that type reads. */
export type SchemaAttribute = Readonly<{ type: string; [key: string]: unknown }>

/** A content-type or a component. */
export interface Schema {
  /** `api::article.article`, `plugin::upload.file`, `shared.seo`. */
  readonly uid: string
  readonly modelType: 'contentType' | 'component'
  readonly kind?: 'collectionType' | 'singleType'
  readonly collectionName?: string
  readonly info?: Data
  readonly options?: Data
  readonly pluginOptions?: Data
  readonly attributes: Readonly<Record<string, SchemaAttribute>>
}

/** An entry: components are inline, relations and media are not. */
export interface EntityRecord {
  readonly type: string
  readonly id: number
  readonly data: Data
}

interface LinkEnd {
  readonly type: string
  readonly ref: number
  /** Orders the other ends in the list of this one: `left.pos` the right ones in the list of the left one. */
  readonly pos?: number | null
}

/** Two entries, or an entry and a component, that an attribute connects. */
export interface LinkRecord {
  readonly left: LinkEnd & { readonly field: string }
  readonly right: LinkEnd & { readonly field?: string }
}

/** A row of the core store; its value is parsed. */
export interface StoreItem {
  readonly key: string
  readonly value: unknown
}

/** A role of administrators, with its permissions as stored. */
export interface EditorRoleRecord {
  readonly id: number
  readonly name: string
  readonly code: string
  readonly description: string | null
  readonly permissions: readonly EditorPermission[]
}

/** A row of `admin_permissions`. */
export interface EditorPermission {
  readonly action: string
  readonly subject: string | null
  readonly properties: { readonly fields?: readonly string[]; readonly locales?: readonly string[] }
  readonly conditions: readonly string[]
}

/** An administrator. */
export interface EditorRecord {
  readonly id: number
  readonly email: string
  readonly firstname: string | null
  readonly lastname: string | null
  readonly username: string | null
  /** bcrypt; `null` for an invitation that nobody has accepted. */
  readonly password: string | null
  readonly active: boolean
  readonly language: string | null
  readonly createdAt: string | null
  /** Ids of roles. */
  readonly roles: readonly number[]
}

export interface EditorRecords {
  readonly people: readonly EditorRecord[]
  readonly roles: readonly EditorRoleRecord[]
}

/** The editors who made and changed the entries of a table, by the ids of the entries. */
export interface CreatorRecord {
  readonly type: string
  readonly id: number
  readonly createdBy: number | null
  readonly updatedBy: number | null
}

/** An API token for server-to-server requests. */
export interface ApiTokenRecord {
  readonly id: number
  readonly name: string
  readonly type: string
  /** HMAC-SHA512 of the token, with the project's `API_TOKEN_SALT` as the key: 128 hexadecimal digits. */
  readonly accessKey: string
  /** Actions of a token of the type `custom`. */
  readonly permissions: readonly string[]
  readonly expiresAt: string | null
}

/** A webhook of the administration. */
export interface WebhookRecord {
  readonly id: number
  readonly name: string | null
  readonly url: string | null
  readonly headers: Readonly<Record<string, unknown>>
  readonly events: readonly string[]
  readonly enabled: boolean
}
