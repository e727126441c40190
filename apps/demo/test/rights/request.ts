/** What a request does; counted apart, since each kind that a role may send must succeed at times. */
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

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  /** The type of what it answers with; `undefined` where that is no entry. */
  readonly uid: string | undefined
  readonly kind: Kind
  /** A list of tags that is filtered or sorted by their articles; the model gives the ids of the answer. */
  readonly tagsBy?: 'filter' | 'sort'
  /** Sent as a form in place of `body`. */
  readonly form?: { readonly content?: string; readonly info?: object }
}
