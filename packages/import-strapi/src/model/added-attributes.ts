import type { AttributeDefinition } from '@octavo/core'
import { withSource } from '@octavo/core/internal'
import type { Schema } from '../records.ts'
import { fileUid, userUid } from './uids.ts'

/** Attributes of files in every project. */
export const ofEveryFile: ReadonlySet<string> = new Set(
  `name alternativeText caption width height formats hash ext mime size url previewUrl provider provider_metadata
  related folder folderPath`.split(/\s+/),
)

/** Attributes of users in every project. */
export const ofEveryUser: ReadonlySet<string> = new Set([
  'username',
  'email',
  'provider',
  'password',
  'resetPasswordToken',
  'confirmationToken',
  'confirmed',
  'blocked',
  'role',
])

/**
 * Marks a definition like one of a file: messages name the schema, and a key that nothing reads is a warning, as it is in the `schema.json`
 * that the source has it from.
 */
export const marked = <D extends object>(definition: D, uid: string): D =>
  withSource(definition, `the schema of ${uid}`)

/** Rules of Strapi for attributes of users that a project may change. Source: 4.26, the content-type of users. */
const usualRules: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  username: { minLength: 3 },
  password: { minLength: 6 },
  confirmed: { default: false },
}

const ruleKeys = ['minLength', 'maxLength', 'regex', 'default'] as const

/** The attributes of every user that have other rules in this project, such as longer passwords. */
export function changedAttributes({ attributes }: Schema): Readonly<Record<string, AttributeDefinition>> {
  const changed = Object.entries(usualRules).flatMap(([name, usual]) => {
    const own = attributes[name]
    if (!own || ruleKeys.every((key) => own[key] === usual[key])) return []
    const kept = ['type', 'required', 'unique', ...ruleKeys].filter((key) => own[key] !== undefined)
    return [[name, Object.fromEntries(kept.map((key) => [key, own[key]]))]]
  })
  return Object.fromEntries(changed) as Readonly<Record<string, AttributeDefinition>> // the registry checks them
}

/** The parts of a project that concern users and files, whose content-types are those of plugins. */
export interface AddedAttributes {
  /** Attributes that the project added to users, and those to which it gave other rules. */
  readonly userAttributes: Readonly<Record<string, AttributeDefinition>>
  /** Attributes that the project added to files. */
  readonly fileAttributes: Readonly<Record<string, AttributeDefinition>>
  /** Names of attributes of every user that the project made private, such as `email`. */
  readonly privateUserAttributes: readonly string[]
  /** Names of attributes of every file that the project made private. */
  readonly privateFileAttributes: readonly string[]
}

/** The attributes that a project added to users and files, as the options `user` and `file` of their plugins take them. */
export const addedAttributes = (added: AddedAttributes) => ({
  user: marked(withPrivate(added.userAttributes, added.privateUserAttributes), userUid),
  file: marked(withPrivate(added.fileAttributes, added.privateFileAttributes), fileUid),
})

/** Added attributes in the form of a `schema.json`. */
export const withPrivate = (
  attributes: Readonly<Record<string, AttributeDefinition>>,
  privateAttributes: readonly string[],
) => ({ ...(privateAttributes.length > 0 && { options: { privateAttributes } }), attributes })

/** Attributes of users and files that are private in every project. */
const alwaysPrivate: ReadonlySet<string> = new Set(
  'password resetPasswordToken confirmationToken folder folderPath createdBy updatedBy'.split(' '),
)

/** The attributes of every user or file, `createdAt` among them, that a project made private. Added ones say so themselves. */
export function privateNames({ uid, attributes, options }: Schema): readonly string[] {
  const listed: unknown = options?.privateAttributes
  const own = uid === userUid ? ofEveryUser : ofEveryFile
  const marked = [...own].filter((name) => attributes[name]?.private === true)
  const names = [...marked, ...(Array.isArray(listed) ? listed.map(String) : [])]
  return [...new Set(names)].filter((name) => !alwaysPrivate.has(name))
}
