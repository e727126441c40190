/** The public surface of @octavo/client. */

/** Extended by the file of `octavo types`, and by plugins' types of attributes, input and parameters. */
/** Named by the declarations of programs, where the model lacks the target of what they populate. */
export type {
  AddedAttributes,
  AddedChildParameters,
  AddedInput,
  AddedParameters,
  AttributeValues,
  LinkedAttributes,
  RegisteredTypes,
  UnknownComponent,
  UnknownEntry,
} from '@octavo/core'

export type { Change, ChangesApi, ChangesQuery, FollowedChange } from './changes.ts'
export { type Client, createClient, type Locale, type RequestInput, type Services } from './create-client.ts'
export type {
  Answer,
  CollectionApi,
  CountQuery,
  EntryApi,
  EntryFiles,
  Localization,
  LocalizeApi,
  LocalizeSingleApi,
  Page,
  PublishApi,
  ReadAnswer,
  SingleApi,
  UntypedApi,
  UntypedEntry,
  WalkQuery,
  WriteOptions,
} from './entry-api.ts'
export {
  type AnyOctavoError,
  type ErrorDetails,
  type ErrorName,
  type ErrorParts,
  type ErrorStatus,
  isOctavoError,
  type Mistake,
  OctavoError,
} from './errors.ts'
export type { FileFormat, FileInfo, FilesApi, StoredFile, UploadOptions } from './files.ts'
export type { CallOptions, ClientOptions, Selected } from './options.ts'
export { queryString } from './query-string.ts'
export { memorySession, type Session, type SessionStore, webSession } from './session.ts'
export type { UploadProgress } from './upload-fetch.ts'
export type { AuthApi, LoginAnswer, RegisterAnswer, User, UserOf, UsersApi } from './users.ts'
