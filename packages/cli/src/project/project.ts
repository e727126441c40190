import { existsSync } from 'node:fs'
import path from 'node:path'
import type { AttributeDefinition, LoadedContentTypes } from '@octavo/core'
import { type Environment, projectEnvironment } from '../code/environment.ts'
import { isPlainObject } from '../code/objects.ts'
import type { Notes } from './config-file.ts'
import { findCode } from './find-code.ts'
import { findOthers } from './find-others.ts'
import { findRoutes } from './find-routes.ts'
import { inWords } from './find-settings.ts'
import type { Finding, UsedSetting } from './finding.ts'
import { foreignRelations } from './foreign-relations.ts'
import { customFieldTypes } from './known-plugins.ts'
import { readSettings } from './read-settings.ts'
import type { Settings } from './settings.ts'

/** A Strapi 4 project without its content-types: the settings that Octavo uses, and the parts that it does not run. */
export interface Project {
  /** Absolute. */
  readonly root: string
  readonly settings: Settings
  readonly used: readonly UsedSetting[]
  readonly findings: readonly Finding[]
}

/**
 * Reads a project's configuration and scans its code, without running any of it.
 *
 * @param dir The folder of the project, or its `src`.
 * @param ours Whether the plugins are the defaults of the command line, which get the project's options, only or beside others.
 * @returns `undefined` for a folder that has definitions only.
 */
export function readProject(
  dir: string,
  loaded: LoadedContentTypes,
  ours: 'only' | 'also' | 'none',
  own: Environment = process.env,
): Project | undefined {
  const root = projectRoot(path.resolve(dir))
  if (root === undefined) return undefined
  const env = projectEnvironment(root, own)
  const hasOurPlugins = ours !== 'none'
  const notes = { used: [] as UsedSetting[], findings: [] as Finding[] }
  const settings = readSettings(root, env, notes, hasOurPlugins)
  for (const { uid, attributes } of loaded.extensions)
    if (uid === userUid || uid === fileUid) {
      noteAttributes(loaded.sources.get(uid) ?? uid, uid, addedNames(attributes), hasOurPlugins, notes)
      if (uid === fileUid) noteRules(loaded.sources.get(uid) ?? uid, attributes, notes)
    }
  const findings = [
    ...findCode(root),
    ...findRoutes(root, loaded.contentTypes, env),
    ...findOthers(root, loaded),
    ...(ours === 'only' ? foreignRelations(loaded) : []),
    ...notes.findings,
  ]
  return {
    root,
    settings,
    used: notes.used,
    findings: findings.toSorted((a, b) => (a.file === b.file ? 0 : a.file < b.file ? -1 : 1)),
  }
}

/** Attributes of users and files in the reference server, which are repeated in a project's file. */
const repeated: ReadonlySet<string> = new Set(
  `username email provider password resetPasswordToken confirmationToken confirmed blocked role
  name alternativeText caption width height formats hash ext mime size url previewUrl provider_metadata
  related folder folderPath`.split(/\s+/),
)

const addedNames = (attributes: object = {}): readonly string[] =>
  Object.keys(attributes).filter((name) => !repeated.has(name))

function noteAttributes(
  file: string,
  uid: string,
  names: readonly string[],
  isUsed: boolean,
  { used, findings }: Notes,
): void {
  const message = `attributes added to ${uid}: ${names.join(', ') || 'none'}`
  if (isUsed) used.push({ file, message })
  else
    findings.push({ kind: 'extension', file, message: `${message}; the configuration names its own plugins` })
}

/** Keys of attributes that are rules for values. */
const ruleKeys = ['required', 'unique', 'minLength', 'maxLength', 'min', 'max', 'regex', 'default', 'enum']

/** Attributes of files that have to be there in the reference server, too. */
const required: ReadonlySet<string> = new Set('name hash mime size url provider folderPath'.split(' '))

/** Rules of the project for attributes that every file has. They are those of the plugin, whose programs fill them. */
function noteRules(file: string, attributes: object = {}, { findings }: Notes): void {
  const rules = Object.entries(attributes)
    .filter(([name]) => repeated.has(name) && name !== 'folderPath')
    .flatMap(([name, attribute]) =>
      ruleKeys
        .filter((key) => isPlainObject(attribute) && attribute[key] !== undefined && attribute[key] !== false)
        .filter((key) => !(key === 'required' && required.has(name)))
        .map((key) => `${name}.${key}`),
    )
  if (rules.length === 0) return
  const noun = rules.length === 1 ? 'rule' : 'rules'
  findings.push({
    kind: 'extension',
    file,
    message: `the ${noun} ${inWords(rules)} ${rules.length === 1 ? 'does' : 'do'} not apply: Octavo has its own for attributes of every file`,
  })
}

export const userUid = 'plugin::users-permissions.user'
export const fileUid = 'plugin::upload.file'

function projectRoot(dir: string): string | undefined {
  if (existsSync(path.join(dir, 'src/api'))) return dir
  const isSource = path.basename(dir) === 'src' && existsSync(path.join(dir, 'api'))
  return isSource ? path.dirname(dir) : undefined
}

/** The definition with the base types of known custom fields. */
export function withBaseTypes<
  D extends { readonly attributes?: Readonly<Record<string, AttributeDefinition>> },
>(definition: D): D {
  // The content of a file is unchecked until the registry validates it.
  const given: unknown = definition.attributes
  if (!isPlainObject(given)) return definition
  const attributes = Object.entries(given).map(([name, attribute]) => {
    const { type, customField } = isPlainObject(attribute) ? attribute : {}
    const base = type === 'customField' ? customFieldTypes[String(customField)] : undefined
    return [name, base === undefined ? attribute : { ...(attribute as object), type: base }]
  })
  return { ...definition, attributes: Object.fromEntries(attributes) as D['attributes'] } // the same names and keys
}
