import type { Query } from '../../query-text.ts'
import { mainFieldOf } from '../model/layout.ts'
import { fileUid, type Model, nounOf } from '../model/model.ts'
import { request } from '../requests/api.ts'
import type { Texts } from '../text/index.ts'

/** An entry that has a file. */
export interface Use {
  readonly key: string
  /** The address of its page. */
  readonly href: string
  readonly label: string
  /** The fields on the way to the file, where it is in a part of the entry: `Sections › Pictures`. */
  readonly places: readonly string[]
}

/** A file with entries that have it. */
export interface UsedFile {
  readonly id: number
  readonly name: string
  readonly uses: readonly Use[]
  /** Whether there are more. */
  readonly more: boolean
}

type Place = readonly { readonly uid: string; readonly attribute: string }[]

interface Answer {
  readonly id: number
  readonly name: string
  readonly uses: readonly {
    readonly __type: string
    readonly id: number
    readonly attributes: Readonly<Record<string, unknown>>
    readonly places: readonly Place[]
  }[]
  readonly more: boolean
}

/** Entries of a file that are listed. */
const shownUses = 20

function usedFile({ id, name, uses: found, more }: Answer, model: Model, text: Texts): UsedFile {
  const uses = found.flatMap((entry): readonly Use[] => {
    const type = model.types.find(({ uid }) => uid === entry.__type)
    if (!type) return []
    const main = mainFieldOf(type)
    const value = main === undefined ? undefined : entry.attributes[main]
    const noun = nounOf(type)
    const label =
      value === undefined || value === null || value === '' ? text.noTitle(noun, entry.id) : String(value)
    const href = `/content/${type.route}${type.kind === 'singleType' ? '' : `/${entry.id}`}`
    const places = entry.places.flatMap((place) => (place.length > 1 ? wayTo(place, model) : []))
    return [{ key: `${entry.__type} ${entry.id}`, href, label, places: [...new Set(places)] }]
  })
  return { id, name, uses, more }
}

/** The labels of the fields on the way. */
const wayTo = (place: Place, { types, components }: Model): string =>
  place
    .map(({ uid, attribute }) => {
      const owner = [...types, ...components].find((one) => one.uid === uid)
      return owner?.layout.fields[attribute]?.label ?? attribute
    })
    .join(' › ')

/** The files that a condition reaches, with entries that use them, in parts of entries too. @throws ApiError */
export async function usesOf(
  filters: Query,
  limit: number,
  model: Model,
  text: Texts,
  signal: AbortSignal,
): Promise<readonly UsedFile[]> {
  const fields = new Set(
    model.types.filter(({ uid }) => uid !== fileUid).flatMap((type) => mainFieldOf(type) ?? []),
  )
  const query = {
    filters,
    sort: ['id'],
    pagination: { start: 0, limit },
    uses: shownUses,
    ...(fields.size > 0 && { entryFields: [...fields].join(',') }),
  }
  const { body } = await request<readonly Answer[]>('GET', 'uses', { query, signal })
  return body.map((file) => usedFile(file, model, text))
}
