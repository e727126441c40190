/** What has been typed and not saved, kept on this device at each pause. */
import { type FormModel, type GroupValue, schemaOf } from '../../form/index.ts'

export interface LocalCopy {
  /** The entry as it was stored when the changes began. */
  readonly base: GroupValue
  readonly mine: GroupValue
  /** When it was kept, in milliseconds. */
  readonly at: number
}

const prefix = 'octavo-desk/copy/'

/** @param place The person, the content-type, the entry and its language. */
export const copyKey = (place: readonly (string | number | undefined)[]): string => prefix + place.join('/')

export function readCopy(key: string): LocalCopy | undefined {
  try {
    const copy = JSON.parse(localStorage.getItem(key) ?? 'null') as LocalCopy | null // written by keepCopy
    return copy?.base && copy.mine ? copy : undefined
  } catch {
    return undefined
  }
}

/** A value without what is typed into fields for passwords: they are never written to the disk. */
export function withoutSecrets<G extends GroupValue>(model: FormModel, group: G): G {
  const { attributes } = schemaOf(model, group.uid)
  const fields = Object.entries(group.fields).map(([name, field]) => [
    name,
    field.kind === 'components'
      ? { ...field, items: field.items.map((item) => withoutSecrets(model, item)) }
      : attributes[name]?.type === 'password'
        ? { kind: 'scalar', value: undefined }
        : field,
  ])
  return { ...group, fields: Object.fromEntries(fields) }
}

/** @returns false when the device has no room, or keeps nothing in this mode */
export function keepCopy(key: string, copy: LocalCopy): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(copy))
    return true
  } catch {
    return false
  }
}

export function dropCopy(key: string): void {
  localStorage.removeItem(key)
}
