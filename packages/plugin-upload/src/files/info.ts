import { didYouMean, isObject, jsonErrorText } from '@octavo/core/internal'
import { isId } from '@octavo/core/plugin'
import { badInfo } from '../problems.ts'
import { readName } from '../storage/names.ts'

/** The attributes of a file that a client sets. */
export interface FileInfo {
  readonly name?: string
  readonly alternativeText?: string | null
  readonly caption?: string | null
  /** Set with the option `focalPoint` only. */
  readonly focalPoint?: FocalPoint | null
  /** The id of the folder that the file goes to; `null`: out of all folders. */
  readonly folder?: number | null
}

/** The attributes of a file's row that its information sets. */
export const attributesOf = ({ folder: _, ...attributes }: FileInfo): Omit<FileInfo, 'folder'> => attributes

/** The folder of the files of a request; `undefined` when none is named. @throws ValidationError for several */
export function folderOf(info: readonly FileInfo[]): number | null | undefined {
  const folders = new Set(info.map(({ folder }) => folder))
  if (folders.size > 1) throw badInfo('The files of one request go to one folder.', ['folder'])
  return info[0]?.folder
}

/** In percent, from the upper left. */
export interface FocalPoint {
  readonly x: number
  readonly y: number
}

interface InfoRules {
  readonly focal: boolean
  readonly strict: boolean
  /** How many files come with it. */
  readonly files: number
}

/**
 * Reads `fileInfo` of a body: JSON text, an object, or a list of these, one for each file.
 *
 * @param rules `focal`: whether files have a focal point. `strict`: whether names that nothing reads are refused, as in bodies of entries;
 * otherwise they are ignored. `files`: one object for several of them is refused, as by the reference, since it would describe the first alone.
 * @throws ValidationError that names the mistake
 */
export function readInfo(given: unknown, rules: InfoRules): readonly FileInfo[] {
  const value = given === undefined || given === '' ? [] : parsed(given)
  if (rules.files > 1 && !Array.isArray(value))
    throw badInfo(`fileInfo of ${rules.files} files must be a list of objects, in the order of the files.`)
  const list = [value].flat()
  return list.map(parsed).map((item) => readOne(item, rules))
}

function parsed(given: unknown): unknown {
  if (typeof given !== 'string') return given
  try {
    return JSON.parse(given)
  } catch (error) {
    throw badInfo(
      `fileInfo must be JSON such as { "name": "…", "alternativeText": "…", "caption": "…" }${jsonErrorText(given)}.`,
      [],
      error,
    )
  }
}

function readOne(item: unknown, { focal, strict }: InfoRules): FileInfo {
  if (!isObject(item)) throw badInfo('fileInfo must be an object, or a list of one for each file.')
  if (strict) refuseUnknown(Object.keys(item))
  const { name, alternativeText, caption, focalPoint, folder } = item
  return {
    ...(name !== undefined && name !== null && name !== '' && { name: readName(text('name', name) ?? '') }),
    ...(alternativeText !== undefined && { alternativeText: text('alternativeText', alternativeText) }),
    ...(caption !== undefined && { caption: text('caption', caption) }),
    ...(focal && focalPoint !== undefined && { focalPoint: readPoint(focalPoint) }),
    ...(folder !== undefined && { folder: readFolder(folder) }),
  }
}

const infoNames = ['name', 'alternativeText', 'caption', 'focalPoint', 'folder']

function refuseUnknown(given: readonly string[]): void {
  const unknown = given.find((name) => !infoNames.includes(name))
  if (unknown !== undefined)
    throw badInfo(
      `fileInfo has no "${unknown.slice(0, 100)}"${didYouMean(unknown, infoNames, `; there are ${infoNames.join(', ')}.`)}`,
      [unknown],
    )
}

function text(name: string, value: unknown): string | null {
  if (value === null || typeof value === 'string') return value
  throw badInfo(`fileInfo.${name} must be a text.`, [name])
}

function readFolder(value: unknown): number | null {
  if (value === null || isId(value)) return value
  throw badInfo('fileInfo.folder must be the id of a folder, or null.', ['folder'])
}

function readPoint(value: unknown): FocalPoint | null {
  if (value === null) return null
  const { x, y } = Object(value) as Readonly<Record<string, unknown>>
  if (isPercent(x) && isPercent(y)) return { x, y }
  throw badInfo('fileInfo.focalPoint must be { "x", "y" }, each from 0 to 100.', ['focalPoint'])
}

const isPercent = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 100
