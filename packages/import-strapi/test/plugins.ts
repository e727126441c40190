import type { Plugin } from '@octavo/core/plugin'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { i18n } from '@octavo/plugin-i18n'
import { localDisk, upload } from '@octavo/plugin-upload'
import { type UsersPermissionsOptions, usersPermissions } from '@octavo/plugin-users-permissions'
import { type AddedAttributes, addedAttributes } from '../src/model/added-attributes.ts'

/** The secret that tokens of the tests are signed with: 24 characters, as Strapi makes it. */
export const jwtSecret = 'c2VjcmV0IG9mIGZpeHR1cg=='

/** The plugins that every project needs. */
export const pluginsOf = (
  definitions: AddedAttributes,
  folder: string,
  users: UsersPermissionsOptions = {},
): readonly Plugin[] => {
  const { user, file } = addedAttributes(definitions)
  return [
    i18n(),
    draftPublish(),
    usersPermissions({ jwt: { secret: jwtSecret, acceptStrapiTokens: true }, ...users, user }),
    upload({ provider: localDisk({ folder }), file }),
  ]
}
