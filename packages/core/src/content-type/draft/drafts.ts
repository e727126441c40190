import type { ComponentDefinition, ContentTypeDefinition } from '../definition/definition.ts'
import { placeOf, sourceOf } from '../definition/source.ts'
import { frozenCopy } from '../frozen.ts'
import { didYouMean } from '../nearest.ts'
import { identifier, snakeCase } from '../storage/identifier.ts'
import { isGiven, isPlain, type Plain } from './given.ts'
import { checkDefinitionKeys } from './known-keys.ts'
import type { DefinitionMistakes, ReportMistake } from './mistakes.ts'
import { isComponentUid, isContentTypeUid, isKebabCase, show, tableNameMistake } from './names.ts'
import { type ReadAttributes, readAttributes } from './read-attributes.ts'

/** The parts that all drafts have. */
interface DraftBase extends ReadAttributes {
  readonly uid: string
  readonly table: string
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

/** How the definitions of a list are read. */
interface Reading {
  readonly mistakes: DefinitionMistakes
  /** Names of attributes that are private in every definition. */
  readonly privateNames: readonly string[]
}

/** The content-types that others can refer to. Mistakes are reported. */
export const draftContentTypes = (given: unknown, reading: Reading): readonly ContentTypeDraft[] =>
  draftAll('contentTypes', given, draftContentType, reading)

/** The components that others can refer to. Mistakes are reported. */
export const draftComponents = (given: unknown, reading: Reading): readonly ComponentDraft[] =>
  draftAll('components', given, draftComponent, reading)

function draftAll<D>(
  list: string,
  given: unknown,
  draft: (given: unknown, place: string, reading: Reading) => D | undefined,
  reading: Reading,
): readonly D[] {
  if (!Array.isArray(given)) {
    reading.mistakes.from(list)([], 'must be a list of definitions')
    return []
  }
  // `Array.from`, since `map` skips the holes of a list.
  return Array.from(given, (item, i) => draft(item, placeOf(item) ?? `${list}[${i}]`, reading)).filter(
    (item) => item !== undefined,
  )
}

/** `undefined` when it is too invalid to be referred to. */
function draftContentType(
  given: unknown,
  place: string,
  { mistakes, privateNames }: Reading,
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
  const attributes = readAttributes(plain, privateNames, report, reportKey)

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
    ...attributes,
    report,
    reportKey,
    // Safe: all keys of the type were checked above.
    definition: plain as unknown as ContentTypeDefinition,
    singularName,
    pluralName,
  }
}

/** `undefined` when it is too invalid to be referred to. */
function draftComponent(
  given: unknown,
  place: string,
  { mistakes, privateNames }: Reading,
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
  const attributes = readAttributes(plain, privateNames, report, reportKey)
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
    ...attributes,
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
