/** The kind of a request. Kinds are counted separately, since some requests of each permitted kind must succeed. */
export type Kind =
  | 'read'
  | 'create'
  | 'update'
  | 'delete'
  | 'bulk'
  | 'list'
  | 'localize'
  | 'publish'
  | 'profile'
  | 'upload'
  | 'replace'
  | 'attach'
  | 'role'
  /** Operations of GraphQL. */
  | 'query'
  | 'mutation'

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  /** The type of the entries in the response; `undefined` for other responses. */
  readonly uid: string | undefined
  readonly kind: Kind
  /** A list of tags that is filtered or sorted by their articles; the model gives the ids of the answer. */
  readonly tagsBy?: 'filter' | 'sort'
  /** Of an operation of GraphQL: the name of its field. */
  readonly root?: string
  /** Whether an operation deletes the entry that it shows. */
  readonly deletes?: boolean
  /** Sent as a form in place of `body`. */
  readonly form?: { readonly content?: string; readonly info?: object }
}
