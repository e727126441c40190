import type { AttributeDefinition, ContentTypeDefinition } from '@octavo/core'
import type { Definitions } from '@octavo/core/plugin'

export const editorUid = 'plugin::editors.editor'
export const roleUid = 'plugin::editors.role'
export const fileUid = 'plugin::upload.file'

/**
 * A person who writes the content. A content-type, so that entries can refer to their creator and conditions can compare it. It has no
 * endpoints; everything but the name is private.
 */
export const editorType: ContentTypeDefinition = {
  kind: 'collectionType',
  uid: editorUid,
  collectionName: 'desk_editors',
  info: { singularName: 'desk-editor', pluralName: 'desk-editors', displayName: 'Editor' },
  options: { draftAndPublish: false },
  attributes: {
    firstname: { type: 'string' },
    lastname: { type: 'string' },
    username: { type: 'string', private: true, searchable: false },
    email: { type: 'string', required: true, unique: true, private: true, searchable: false },
    // Set by the server: bcrypt. Null until the invitation is accepted.
    password: { type: 'string', private: true, searchable: false },
    active: { type: 'boolean', default: true, private: true },
    language: { type: 'string', private: true, searchable: false },
    roles: { type: 'relation', relation: 'manyToMany', target: roleUid, private: true },
  },
}

export const roleType: ContentTypeDefinition = {
  kind: 'collectionType',
  uid: roleUid,
  collectionName: 'desk_roles',
  info: { singularName: 'desk-role', pluralName: 'desk-roles', displayName: 'Editor role' },
  options: { draftAndPublish: false },
  attributes: {
    name: { type: 'string', required: true, unique: true, private: true, searchable: false },
    description: { type: 'string', private: true, searchable: false },
    /** A list of rights; see `rights/right.ts`. */
    rights: { type: 'json', private: true },
  },
}

/** Attributes of each entry and file that only the server sets. */
export const creatorAttributes = ['createdBy', 'updatedBy', 'createdByCaller', 'updatedByCaller'] as const

/** Whether entries of a content-type have a creator. */
export const hasCreator = ({ uid = '' }: { readonly uid?: string | undefined }): boolean =>
  uid.startsWith('api::') || uid === fileUid

const person = (isShown: boolean): AttributeDefinition => ({
  type: 'relation',
  relation: 'manyToOne',
  target: editorUid,
  private: !isShown,
  // Each localization of an entry has its own.
  visible: false,
})
const caller: AttributeDefinition = { type: 'string', private: true, searchable: false, visible: false }

/** Adds the creators to content-types. `options.populateCreatorFields` of a type shows `createdBy` and `updatedBy` to callers with the right to find editors. */
export const withCreators = (definitions: Definitions): Definitions => ({
  ...definitions,
  contentTypes: definitions.contentTypes.map((type) => {
    if (!hasCreator({ uid: type.uid ?? `api::${type.info.singularName}.${type.info.singularName}` }))
      return type
    const isShown = type.options?.populateCreatorFields === true
    return {
      ...type,
      attributes: {
        ...type.attributes,
        createdBy: person(isShown),
        updatedBy: person(isShown),
        createdByCaller: caller,
        updatedByCaller: caller,
      },
    }
  }),
})
