import type { Query } from '../../query-text.ts'
import { request } from '../api.ts'
import { mainFieldOf } from '../layout.ts'
import { type ContentType, fileUid, type Model, nounOf } from '../model.ts'
import type { Texts } from '../text/index.ts'

/** An entry that has a file. */
export interface Use {
  readonly key: string
  /** The address of its page. */
  readonly href: string
  readonly label: string
}

/** A file with the entries that have it. */
export interface UsedFile {
  readonly id: number
  readonly name: string
  readonly uses: readonly Use[]
}

interface Answer {
  readonly id: number
  readonly name: string
  readonly related?: readonly (Readonly<Record<string, unknown>> & {
    readonly __type: string
    readonly id: number
  })[]
}

/** Uses of a file that are listed. */
export const shownUses = 20

const hasFiles = ({ uid, attributes }: ContentType): boolean =>
  uid !== fileUid && Object.values(attributes).some(({ type }) => type === 'media')

/** The parameters for files with the entries that use them. `related` is there only where entries have files. */
function withUses(model: Model): Query {
  const users = model.types.filter(hasFiles)
  if (users.length === 0) return { fields: ['name'] }
  const fields = new Set(users.flatMap((type) => mainFieldOf(type) ?? []))
  return {
    fields: ['name'],
    populate: {
      related: {
        fields: fields.size > 0 ? [...fields] : ['id'],
        publicationState: 'preview',
        limit: shownUses + 1,
      },
    },
  }
}

function usedFile({ id, name, related = [] }: Answer, model: Model, text: Texts): UsedFile {
  const uses = related.flatMap((entry): readonly Use[] => {
    const type = model.types.find(({ uid }) => uid === entry.__type)
    if (!type) return []
    const main = mainFieldOf(type)
    const value = main === undefined ? undefined : entry[main]
    const noun = nounOf(type)
    const label =
      value === undefined || value === null || value === '' ? text.noTitle(noun, entry.id) : String(value)
    const href = `/content/${type.route}${type.kind === 'singleType' ? '' : `/${entry.id}`}`
    return [{ key: `${entry.__type} ${entry.id}`, href, label }]
  })
  return { id, name, uses }
}

/** A file with its uses, of which there may be more than {@link shownUses}. @throws ApiError */
export async function usesOf(id: number, model: Model, text: Texts, signal: AbortSignal): Promise<UsedFile> {
  const { body } = await request<Answer>('GET', `files/${id}`, { query: withUses(model), signal })
  return usedFile(body, model, text)
}

/** The files that a condition reaches, with their uses. @throws ApiError */
export async function usesOfAll(
  filters: Query,
  limit: number,
  model: Model,
  text: Texts,
  signal: AbortSignal,
): Promise<readonly UsedFile[]> {
  const query = { ...withUses(model), filters, sort: ['id'], pagination: { start: 0, limit } }
  const { body } = await request<readonly Answer[]>('GET', 'files', { query, signal })
  return body.map((file) => usedFile(file, model, text))
}
