/** New entries that begin as copies of others, until they are saved. */
import { duplicateOf, type Form, fieldsOf, type GroupValue, schemaOf } from '../../form/index.ts'
import { randomText } from '../../form/random.ts'
import { mainFieldOf } from '../model/layout.ts'
import { type ContentType, isOfPrograms } from '../model/model.ts'
import { mayField, mayWhole } from '../model/rights.ts'
import type { Session } from '../model/session.tsx'
import { placeOf } from '../open-entry/labels.ts'
import { freeAddress, slugOf } from '../values/slug.ts'

export interface Begun {
  readonly value: GroupValue
  /** The name of the original. */
  readonly of: string
  /** The fields of the original whose values the copy lacks, in words. */
  readonly left: readonly string[]
}

const begun = new Map<string, Begun>()

/** The values with which a new entry begins. @param name As the address has it. */
export const begunAs = (name: string | undefined): Begun | undefined =>
  name === undefined ? undefined : begun.get(name)

interface Original {
  readonly type: ContentType
  readonly form: Form
  readonly name: string
  readonly locale: string | undefined
}

/** Copies what a form shows, saved or not, for a new entry. @returns the name by which its page finds it */
export async function beginCopy(
  { type, form, name, locale }: Original,
  { me, model }: Session,
): Promise<string> {
  const mayWrite = (path: string): boolean =>
    mayField(me, type.uid, 'create', path, locale) && !isOfPrograms(type, path)
  // The server takes zones as a whole.
  const mayCopy = (path: string, isZone: boolean): boolean =>
    mayWrite(path) && (!isZone || mayWhole(me, type.uid, 'create', path, locale))
  const { value, left } = duplicateOf(form.model, form.value(), mayCopy)
  const addresses = await addressesOf({ type, form, name, locale }, mayWrite)
  const id = randomText(8)
  const fields = { ...value.fields, ...addresses }
  const lacking = left.filter((key) => !addresses[key])
  begun.set(id, {
    value: { ...value, fields },
    of: name,
    left: lacking.map((key) => placeOf(form, model, key)),
  })
  return id
}

/** Addresses of the copy, made of its title. Without an answer about others, the page of the copy tells whether one is free. */
async function addressesOf(
  { type, form, locale }: Original,
  mayWrite: (path: string) => boolean,
): Promise<Record<string, { readonly kind: 'scalar'; readonly value: string }>> {
  const addresses: Record<string, { readonly kind: 'scalar'; readonly value: string }> = {}
  for (const { name, definition } of fieldsOf(schemaOf(form.model, type.uid))) {
    if (definition.type !== 'uid' || !mayWrite(name)) continue
    const title = form.find(String(definition.targetField ?? mainFieldOf(type)))
    const slug = title?.kind === 'scalar' && typeof title.value === 'string' ? slugOf(title.value) : ''
    if (slug === '') continue
    const value = await freeAddress(type, name, slug, locale).catch(() => slug)
    addresses[name] = { kind: 'scalar', value }
  }
  return addresses
}
