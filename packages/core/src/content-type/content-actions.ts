import type { ContentType } from './model.ts'

/** The actions of a content endpoint that write. */
export const writeActions = ['create', 'update', 'delete'] as const
export type WriteAction = (typeof writeActions)[number]

/** The actions of the content endpoints. Each has its own permission: `api::article.article.find`. */
export const contentActions = ['find', 'findOne', ...writeActions] as const
export type ContentAction = (typeof contentActions)[number]

/** A single type has one entry: it has no `findOne`, and an update creates the entry. */
const singleTypeActions: readonly ContentAction[] = ['find', 'update', 'delete']

/** The actions that the endpoints of a content-type have. */
export const contentActionsOf = ({ kind }: Pick<ContentType, 'kind'>): readonly ContentAction[] =>
  kind === 'singleType' ? singleTypeActions : contentActions

export const isWriteAction = (action: string): action is WriteAction =>
  (writeActions as readonly string[]).includes(action)

export const isContentAction = (action: string): action is ContentAction =>
  (contentActions as readonly string[]).includes(action)
