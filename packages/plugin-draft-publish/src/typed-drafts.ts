/** The types of the attribute, the input and the parameter of drafts. `octavo types` files load them, and so does the client. */

declare module '@octavo/core' {
  interface AddedInput {
    /** The time of publication; null for a draft. Default of a new entry: now. */
    readonly publishedAt?: string | null
  }
  interface AddedAttributes<D> {
    publishedAt: D extends { readonly options: { readonly draftAndPublish: false } }
      ? never
      : D extends { readonly options: { readonly draftAndPublish: boolean } }
        ? { readonly type: 'datetime' }
        : never
  }
  interface AddedParameters {
    /** `live`, the default, returns published entries; `preview` returns drafts as well. */
    readonly publicationState?: PublicationState
  }
  interface AddedChildParameters {
    readonly publicationState?: PublicationState
  }
}

export type PublicationState = 'live' | 'preview'
