import type {
  AttributeDefinition,
  ComponentDefinition,
  ContentTypeDefinition,
} from '../definition/definition.ts'
import { sourceOf } from '../definition/source.ts'
import { frozenCopy } from '../frozen.ts'
import { didYouMean } from '../nearest.ts'
import { identifier, snakeCase } from '../storage/identifier.ts'
import { checkDefinitionKeys } from './known-keys.ts'
import type { DefinitionMistakes, ReportMistake } from './mistakes.ts'
import {
  attributeNameMistake,
  isComponentUid,
  isContentTypeUid,
  isKebabCase,
  show,
  tableNameMistake,
} from './names.ts'

interface DraftBase {
  readonly uid: string
  readonly table: string
  /** The attributes with a name and a type, in order; the type is not checked yet. */
  readonly attributes: ReadonlyMap<string, AttributeDefinition>
  /** Reports a mistake in this definition. */
  readonly report: ReportMistake
  /** Reports an unknown key: a mistake in code, a warning in a file. */
  readonly reportKey: ReportMistake
}

export interface ContentTypeDraft extends DraftBase {
  readonly kind: 'collectionType' | 'singleType'
  readonly definition: ContentTypeDefinition
  readonly singularName: string
  readonly pluralName: string
}

export interface ComponentDraft extends DraftBase {
  readonly kind: 'component'
  readonly definition: ComponentDefinition
  readonly category: string
  readonly name: string
}

/** A definition whose keys are valid; its references to other definitions are not checked yet. */
export type Draft = ContentTypeDraft | ComponentDraft

type Plain = Readonly<Record<string, unknown>>

/** `undefined` when it is too invalid to be referred to. */
export function draftContentType(
  given: unknown,
  place: string,
  mistakes: DefinitionMistakes,
): ContentTypeDraft | undefined {
  const copied = copy(given, place, mistakes)
  if (!copied) return undefined
  const { plain, named } = copied
  const info = isPlain(plain.info) ? plain.info : {}
  const source =
    named ??
    (typeof plain.uid === 'string'
      ? plain.uid
      : typeof info.singularName === 'string'
        ? info.singularName
        : place)
  const report = mistakes.from(source)
  const reportKey = mistakes.unless(named !== undefined, source)
  checkDefinitionKeys(plain, reportKey)

  const kind = plain.kind ?? 'collectionType'
  if (kind !== 'collectionType' && kind !== 'singleType') {
    const hint = typeof kind === 'string' ? didYouMean(kind, ['collectionType', 'singleType']) : ''
    report(['kind'], `must be collectionType or singleType, not ${show(kind)}${hint}`)
  }
  if (!isPlain(plain.info)) report(['info'], 'must be an object with singularName and pluralName')
  const singularName = kebabCase(
    info.singularName,
    'singularName',
    'article',
    isPlain(plain.info) ? report : undefined,
  )
  const pluralName = kebabCase(
    info.pluralName,
    'pluralName',
    'articles',
    isPlain(plain.info) ? report : undefined,
  )
  if (isGiven(info.displayName) && typeof info.displayName !== 'string')
    report(['info', 'displayName'], `must be text, not ${show(info.displayName)}`)
  checkCommon(plain, report)
  const attributes = readAttributes(plain.attributes, report)

  const uid = isGiven(plain.uid) ? plain.uid : singularName && `api::${singularName}.${singularName}`
  if (isGiven(plain.uid) && !(typeof uid === 'string' && isContentTypeUid(uid))) {
    report(['uid'], `must look like api::article.article, not ${show(uid)}`)
    return undefined
  }
  const table = tableName(plain.collectionName, pluralName && identifier(snakeCase(pluralName)), report)
  if (!singularName || !pluralName || typeof uid !== 'string' || !table) return undefined
  return {
    kind: kind === 'singleType' ? kind : 'collectionType',
    uid,
    table,
    attributes,
    report,
    reportKey,
    // Safe: all keys of the type were checked above.
    definition: plain as unknown as ContentTypeDefinition,
    singularName,
    pluralName,
  }
}

/** `undefined` when it is too invalid to be referred to. */
export function draftComponent(
  given: unknown,
  place: string,
  mistakes: DefinitionMistakes,
): ComponentDraft | undefined {
  const copied = copy(given, place, mistakes)
  if (!copied) return undefined
  const { plain, named } = copied
  const { uid } = plain
  const source = named ?? (typeof uid === 'string' ? uid : place)
  const report = mistakes.from(source)
  const reportKey = mistakes.unless(named !== undefined, source)
  checkDefinitionKeys(plain, reportKey)
  if (isGiven(plain.info) && !isPlain(plain.info))
    report(['info'], `must be an object, not ${show(plain.info)}`)
  checkCommon(plain, report)
  const attributes = readAttributes(plain.attributes, report)
  if (typeof uid !== 'string' || !isComponentUid(uid)) {
    report(['uid'], `must look like shared.seo, a category and a name, not ${show(uid)}`)
    return undefined
  }
  const [category = '', name = ''] = uid.split('.')
  const table = tableName(
    plain.collectionName,
    identifier('components', snakeCase(category), snakeCase(name)),
    report,
  )
  if (!table) return undefined
  return {
    kind: 'component',
    uid,
    table,
    attributes,
    report,
    reportKey,
    definition: plain as unknown as ComponentDefinition,
    category,
    name,
  }
}

function copy(
  given: unknown,
  place: string,
  mistakes: DefinitionMistakes,
): { readonly plain: Plain; readonly named: string | undefined } | undefined {
  try {
    const plain = frozenCopy(given)
    if (isPlain(plain)) return { plain, named: sourceOf(plain) }
    mistakes.from(place)([], `must be an object, not ${show(given)}`)
  } catch (error) {
    mistakes.from(place)([], `cannot be read: ${error instanceof Error ? error.message : 'it throws'}`)
  }
  return undefined
}

function kebabCase(
  name: unknown,
  key: string,
  example: string,
  report: ReportMistake | undefined,
): string | undefined {
  if (typeof name === 'string' && isKebabCase(name)) return name
  report?.(
    ['info', key],
    name === undefined
      ? `is missing; it is the name in kebab-case, such as "${example}"`
      : `must be kebab-case, such as "${example}", of at most 200 characters, not ${show(name)}`,
  )
  return undefined
}

function tableName(given: unknown, otherwise: string | undefined, report: ReportMistake): string | undefined {
  const name = isGiven(given) ? given : otherwise
  if (name === undefined) return undefined
  const mistake = typeof name === 'string' ? tableNameMistake(name) : 'must be text'
  if (mistake) report(['collectionName'], `${show(name)} ${mistake}`)
  return mistake || typeof name !== 'string' ? undefined : identifier(name)
}

function checkCommon(plain: Plain, report: ReportMistake): void {
  for (const key of ['options', 'pluginOptions']) {
    if (isGiven(plain[key]) && !isPlain(plain[key]))
      report([key], `must be an object, not ${show(plain[key])}`)
  }
}

function readAttributes(given: unknown, report: ReportMistake): ReadonlyMap<string, AttributeDefinition> {
  const attributes = new Map<string, AttributeDefinition>()
  if (!isPlain(given)) {
    report(
      ['attributes'],
      given === undefined
        ? 'is missing; it is an object of attributes by name'
        : `must be an object, not ${show(given)}`,
    )
    return attributes
  }
  for (const [name, definition] of Object.entries(given)) {
    const path = ['attributes', name]
    const mistake = isCreator(name, definition) ? undefined : attributeNameMistake(name)
    if (mistake) report(path, `${show(name)} ${mistake}`)
    if (!isPlain(definition)) report(path, `must be an object with a type, not ${show(definition)}`)
    else if (checkAttribute(definition, path, report) && !mistake) attributes.set(name, definition)
  }
  return attributes
}

/** Whether an attribute is the person who made or changed an entry, in a content-type of a plugin. No other attribute has these names. */
const isCreator = (name: string, definition: unknown): boolean =>
  (name === 'createdBy' || name === 'updatedBy') &&
  isPlain(definition) &&
  definition.type === 'relation' &&
  typeof definition.target === 'string' &&
  definition.target.startsWith('plugin::')

function checkAttribute(
  definition: Plain,
  path: readonly string[],
  report: ReportMistake,
): definition is AttributeDefinition {
  for (const key of ['required', 'unique', 'private', 'searchable', 'repeatable', 'multiple']) {
    if (isGiven(definition[key]) && typeof definition[key] !== 'boolean')
      report([...path, key], `must be true or false, not ${show(definition[key])}`)
  }
  if (isGiven(definition.pluginOptions) && !isPlain(definition.pluginOptions)) {
    report([...path, 'pluginOptions'], `must be an object, not ${show(definition.pluginOptions)}`)
  }
  if (typeof definition.type === 'string') return true
  report(
    [...path, 'type'],
    definition.type === undefined
      ? 'is missing; it is the name of an attribute type, such as "string"'
      : `must be the name of an attribute type, not ${show(definition.type)}`,
  )
  return false
}

/** `null` is treated as absent: the reference's editor writes it. */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null

export function isPlain(value: unknown): value is Plain {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
