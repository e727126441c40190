/** Content-types of Octavo's own plugins, and how their rows are imported. */
export const userUid = 'plugin::users-permissions.user'
export const roleUid = 'plugin::users-permissions.role'
export const permissionUid = 'plugin::users-permissions.permission'
export const localeUid = 'plugin::i18n.locale'
export const fileUid = 'plugin::upload.file'
/** Of plugin-editors. */
export const editorUid = 'plugin::editors.editor'
export const folderUid = 'plugin::upload.folder'

const ownTypes: ReadonlySet<string> = new Set([
  userUid,
  roleUid,
  permissionUid,
  localeUid,
  fileUid,
  folderUid,
])

export const isOwnType = (uid: string): boolean => ownTypes.has(uid)

/** Types whose rows become sections of a data file. */
const elsewhere: ReadonlySet<string> = new Set([roleUid, permissionUid, localeUid, folderUid])

/** Whether the rows of a type are imported as entries, once the definitions have it. */
export const isEntryType = (uid: string): boolean => !elsewhere.has(uid) && whyLeftBehind(uid) === undefined

/** The reason why rows of a type are not imported; `undefined` when they are. */
export function whyLeftBehind(uid: string): string | undefined {
  if (uid.startsWith('admin::')) return 'belongs to the admin panel'
  if (uid.startsWith('plugin::content-releases.')) return 'releases do not come'
  return undefined
}

const ownAttributes: Readonly<Record<string, readonly string[]>> = {
  [userUid]: [
    'resetPasswordExpires',
    'tokenVersion',
    'providerSubject',
    'pendingEmail',
    'usernameLook',
    'usernameWrittenLook',
  ],
  [localeUid]: ['isDefault'],
  [fileUid]: ['focalPoint', 'pendingFormats', 'uploadedBy'],
}

/**
 * Whether an attribute of users or files is Octavo's, so that an attribute of the project with this name has no place. A focal point is the
 * project's where the option of files is off, and what it is for is the same.
 */
export const isTaken = (uid: string, name: string): boolean =>
  name !== 'focalPoint' && (uid === userUid || uid === fileUid) && ownAttributes[uid]?.includes(name) === true

/** Attributes of plugin-editors in every type. They come on a way of their own, after the comparison. */
const creators: readonly string[] = ['createdBy', 'updatedBy', 'createdByCaller', 'updatedByCaller']

/** Attributes of a type that are not compared: those of Octavo's plugins that Strapi does not have, and the creators. */
export const withoutCounterpart = (uid: string): readonly string[] => [
  ...(ownAttributes[uid] ?? []),
  ...creators,
]

/** Whether a type belongs to editors, whose rows have another form in Strapi. */
export const isOfEditors = (uid: string): boolean => uid.startsWith('plugin::editors.')
