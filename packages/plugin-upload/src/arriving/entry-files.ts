import type { Octavo, RequestState } from '@octavo/core'
import { isObject } from '@octavo/core/internal'
import type {
  ContentType,
  EntryInput,
  Model,
  Registry,
  RelationAttribute,
  WriteEvent,
} from '@octavo/core/plugin'
import type { Action, FileLimits, FileReceiver } from '@octavo/server'
import { fileUid } from '../content-type/file-type.ts'
import { kindOf, kindsOf } from '../content-type/media-type.ts'
import { keysIn, type Library } from '../files/library.ts'
import type { PreparedFile } from '../files/record.ts'
import { problem } from '../problems.ts'
import { callerKey, requireWritable } from './caller.ts'
import type { Preparer } from './preparer.ts'

/** The files for one place in an entry: `files.todo.0.docs` has the path `['todo', '0', 'docs']`. */
interface EntryFiles {
  readonly path: readonly string[]
  readonly files: readonly PreparedFile[]
}

declare module '@octavo/core' {
  interface RequestState {
    /** Files that came in one body with the entry that is written. The provider has them; their rows are still to be made. */
    readonly entryFiles?: readonly EntryFiles[]
  }
}

export interface EntryFileParts {
  readonly octavo: Octavo
  readonly library: Library
  readonly preparer: Preparer
  readonly limits: FileLimits
}

/** Receives the parts `files.<attribute>` of a multipart create or update. Source: docs/contract/writing.md. */
export const receiveEntryFiles = (
  { name, type }: Action & { readonly type: ContentType },
  state: RequestState,
  { octavo, library, preparer, limits }: EntryFileParts,
): FileReceiver => ({
  limits,
  take: async (files) => {
    const places = Map.groupBy(files, ({ field }) => field)
    for (const field of places.keys()) {
      const [attribute = ''] = checkField(field, type)
      await requireWritable(octavo, { type, action: name.slice(type.uid.length + 1), attribute }, state)
    }
    const caller = callerKey(state)
    const prepared: { path: readonly string[]; files: readonly PreparedFile[] }[] = []
    for (const [field, received] of places)
      prepared.push({ path: pathOf(field), files: await preparer.prepareAll(received, [], { caller }) })
    const all = prepared.flatMap((place) => place.files)
    await library.store(all)
    return {
      state: { entryFiles: prepared },
      undo: () => library.discard(keysIn(all)),
    }
  },
})

const prefix = 'files.'

/** `files.todo.0.docs` and `files.todo[0].docs` are the same. */
const pathOf = (field: string): readonly string[] =>
  field
    .slice(prefix.length)
    .replaceAll(/\[(\w+)\]/g, '.$1')
    .split('.')

/** @returns the path; @throws ValidationError when it does not lead to media */
function checkField(field: string, model: Model): readonly string[] {
  if (!field.startsWith(prefix)) {
    throw problem('upload/bad-reference', {
      message: 'A file that comes with an entry is named files.<attribute>, as files.cover.',
    })
  }
  const path = pathOf(field)
  const [name = ''] = path
  const attribute = model.attributes.get(name)
  const leadsOn = attribute?.kind === 'component' || attribute?.kind === 'zone'
  if (!leadsOn && !isMedia(attribute)) throw noMedia(field, name)
  return path
}

const isMedia = (attribute: unknown): attribute is RelationAttribute =>
  (attribute as RelationAttribute | undefined)?.kind === 'relation' &&
  (attribute as RelationAttribute).typeName === 'media'

const noMedia = (field: string, name: string) =>
  problem('upload/bad-reference', { message: `${field}: "${name}" is no media attribute.` })

/** Creates the rows of the files in the transaction of the entry, and returns the input that refers to them. */
export async function withEntryFiles(
  input: EntryInput,
  { type, action, by, state, entries }: WriteEvent,
  { registry, uploader }: { readonly registry: Registry; readonly uploader: EntryInput },
): Promise<EntryInput> {
  const places = state.entryFiles
  if (!places || by !== 'caller') return input
  const filled = structuredClone(input) as Record<string, unknown>
  for (const { path, files } of places) {
    const target = targetOf(filled, type, path, action === 'update', registry)
    const { attribute } = target
    const field = prefix + path.join('.')
    if (!attribute.many && files.length > 1)
      throw problem('upload/bad-reference', { message: `${field} takes one file, not ${files.length}.` })
    const kinds = kindsOf(attribute)
    const wrong = files.find(({ mime }) => kinds && !kinds.includes(kindOf(mime)))
    if (kinds && wrong)
      throw problem('upload/type', {
        message: `${field}: a file of the type ${wrong.mime} does not go there; ${kinds.join(', ')} do.`,
      })
    const ids: number[] = []
    for (const { row } of files) ids.push(await entries.create(fileUid, { ...row, ...uploader }))
    target.holder[attribute.name] = attribute.many
      ? added(target.holder[attribute.name], ids, target.exists)
      : ids[0]
  }
  return filled
}

interface Target {
  readonly attribute: RelationAttribute
  /** The object of the input that has the attribute. */
  readonly holder: Record<string, unknown>
  /** Whether the list may have files already. */
  readonly exists: boolean
}

/** @throws ValidationError for a path that is not a media attribute of the written entry */
function targetOf(
  input: Record<string, unknown>,
  type: Model,
  path: readonly string[],
  exists: boolean,
  registry: Registry,
): Target {
  const field = prefix + path.join('.')
  let [holder, model, known] = [input, type, exists]
  const rest = [...path]
  for (;;) {
    const name = rest.shift() ?? ''
    const attribute = model.attributes.get(name)
    if (isMedia(attribute)) {
      if (rest.length > 0) throw noMedia(field, rest.join('.'))
      return { attribute, holder, exists: known }
    }
    if (attribute?.kind !== 'component' && attribute?.kind !== 'zone') throw noMedia(field, name)
    const isList = attribute.kind === 'zone' || attribute.repeatable
    const list = isList ? holder[name] : undefined
    const item: unknown = isList
      ? Array.isArray(list)
        ? list[Number(rest.shift())]
        : undefined
      : holder[name]
    if (!isObject(item))
      throw problem('upload/bad-reference', { message: `${field}: data has no ${name} to put it into.` })
    holder = item as Record<string, unknown>
    const uid = attribute.kind === 'zone' ? String(holder.__component) : attribute.component
    const component = registry.components.get(uid)
    if (!component) throw noMedia(field, name)
    model = component
    known = exists && holder.id !== undefined
  }
}

/** The value of a list of files in the body, with the uploaded files appended. */
function added(given: unknown, ids: readonly number[], exists: boolean): unknown {
  if (given === undefined) return exists ? { connect: ids } : ids
  if (Array.isArray(given)) return [...(given as unknown[]), ...ids]
  if (!isObject(given)) return [given ?? [], ids].flat()
  const { connect, set, ...others } = given
  if ('id' in given) return [given, ...ids]
  if (set !== undefined) return { ...others, set: [set ?? [], ids].flat() }
  return { ...others, connect: [connect ?? [], ids].flat() }
}
