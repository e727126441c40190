/** Locales over HTTP, for people who manage the server. */
import type { Entries, Mistake, Octavo, RequestState } from '@octavo/core'
import { type ContentType, readId } from '@octavo/core/plugin'
import type { JsonSchema, ManagedRequest, ManagedRoutes } from '@octavo/server'
import { localeUid, localizedParts } from './content-type.ts'
import { codeForm } from './locale-code.ts'
import { type LocaleRow, type Locales, nameOf } from './locales.ts'
import { problem } from './problems.ts'

interface Parts {
  readonly octavo: () => Octavo
  readonly locales: Locales
  /** For the reads and writes of locales, whose rights the routes check. */
  readonly everything: RequestState
}

/** Adds the routes of locales, for the right `settings`. */
export function addLocaleRoutes(routes: ManagedRoutes, parts: Parts): void {
  const right = 'settings'
  const one = { 200: { description: 'The locale.', schema: locale } }
  routes.add({
    method: 'GET',
    path: '/locales',
    right,
    operation: {
      id: 'desk-locales',
      summary: 'List locales',
      responses: { 200: { description: 'All locales.', schema: { type: 'array', items: locale } } },
    },
    handler: () => list(parts),
  })
  routes.add({
    method: 'POST',
    path: '/locales',
    right,
    operation: {
      id: 'desk-createLocale',
      summary: 'Add a locale',
      body: bodyOf({ code: text, ...changeable }, ['code']),
      responses: { 201: { description: 'The locale.', schema: locale } },
    },
    handler: (request) => create(request, parts),
  })
  routes.add({
    method: 'PUT',
    path: '/locales/:id',
    right,
    operation: {
      id: 'desk-changeLocale',
      summary: 'Change the name of a locale, or make it the default',
      body: bodyOf(changeable, []),
      responses: one,
    },
    handler: (request) => change(request, parts),
  })
  routes.add({
    method: 'DELETE',
    path: '/locales/:id',
    right,
    operation: {
      id: 'desk-deleteLocale',
      summary: 'Delete a locale without entries',
      responses: one,
    },
    handler: (request) => remove(request, parts),
  })
}

type Listed = Pick<LocaleRow, 'id' | 'code' | 'name' | 'isDefault'>

async function list({ octavo }: Parts): Promise<readonly Listed[]> {
  const { registry, store } = octavo()
  return store.rows<LocaleRow>(registry.contentType(localeUid)).find({
    select: ['id', 'code', 'name', 'isDefault'],
    orderBy: { id: 'asc' },
  })
}

async function create({ fields }: ManagedRequest, parts: Parts): Promise<object> {
  const { code, name, isDefault = false } = read(fields, true)
  const id = await changed(parts, async (entries) => {
    if ((await entries.find({ filters: { code } })).data.length > 0) throw problem('i18n/locale-taken')
    const made = await entries.create({ code, name: name ?? nameOf(code), isDefault })
    if (isDefault) await endFormerDefault(made.id, entries)
    return made.id
  })
  return (await list(parts)).find((one) => one.id === id) ?? {}
}

async function change({ fields, context }: ManagedRequest, parts: Parts): Promise<object> {
  const { name, isDefault } = read(fields, false)
  const { id } = await found(readId(context.params.id), parts)
  const written = { ...(name !== undefined && { name }), ...(isDefault === true && { isDefault }) }
  if (Object.keys(written).length > 0)
    await changed(parts, async (entries) => {
      await entries.update(id, written)
      if (isDefault === true) await endFormerDefault(id, entries)
    })
  return (await list(parts)).find((one) => one.id === id) ?? {}
}

async function remove({ context }: ManagedRequest, parts: Parts): Promise<object> {
  const { id, code, name } = await found(readId(context.params.id), parts)
  const inUse = await typeWith(code, parts)
  const refuse = (message: string) => problem('i18n/locale-needed', { message })
  await changed(parts, async (entries) => {
    // Waits for other changes of locales, and has the state that they have left.
    const { attributes } = await entries.delete(id)
    if (attributes.isDefault === true) throw refuse('Another locale must be the default first')
    if (parts.locales.isConfigured(code)) throw refuse('The configuration has this locale')
    if (inUse) throw refuse(`There are entries of ${inUse.singularName} in this locale`)
  })
  return { id, code, name, isDefault: false }
}

/** A content-type with entries in a locale. Not for a transaction: the embedded database has no second connection. */
async function typeWith(locale: string, { octavo }: Parts): Promise<ContentType | undefined> {
  const { registry, store } = octavo()
  for (const type of registry.contentTypes.values())
    if (localizedParts(type) && (await store.rows(type).count({ locale })) > 0) return type
  return undefined
}

/** Changes locales as entries, so that other plugins learn of it, and this process has them when it answers. The hooks of entries tell the others. */
async function changed<T>(
  { octavo, locales, everything }: Parts,
  work: (entries: Entries) => Promise<T>,
): Promise<T> {
  const { store, registry } = octavo()
  const result = await octavo().transaction((tx) => work(tx.entries(localeUid)), everything)
  await locales.read(store, registry)
  return result
}

/** After the write of the new default, which waits for other changes of locales. */
async function endFormerDefault(id: number, entries: Entries): Promise<void> {
  const { data } = await entries.find({ filters: { isDefault: true, id: { $ne: id } } })
  for (const former of data) await entries.update(former.id, { isDefault: false })
}

/** @throws NotFoundError */
async function found(id: number | undefined, parts: Parts): Promise<Listed> {
  const row = (await list(parts)).find((one) => one.id === id)
  if (!row) throw problem('i18n/no-such-locale')
  return row
}

/** @throws ValidationError with all mistakes */
function read({ code, name, isDefault }: ManagedRequest['fields'], isNew: boolean) {
  const errors: Mistake[] = []
  const refuse = (path: string, message: string): void =>
    void errors.push({ path: [path], message: `${path} ${message}`, name: 'ValidationError' })
  if (isNew && (typeof code !== 'string' || !codeForm.test(code)))
    refuse('code', 'must be a code such as pt-BR')
  const isName = typeof name === 'string' && name.trim() !== '' && name.length <= 100
  if (name !== undefined && !(isName && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)))
    refuse('name', 'must be a text of 1 to 100 characters')
  if (isDefault !== undefined && typeof isDefault !== 'boolean') refuse('isDefault', 'must be true or false')
  if (errors.length > 0) throw problem('i18n/invalid', { errors }, { details: { errors } })
  return {
    code: String(code),
    name: name as string | undefined,
    isDefault: isDefault as boolean | undefined,
  } // checked above
}

const text: JsonSchema = { type: 'string' }
const locale: JsonSchema = {
  type: 'object',
  required: ['id', 'code', 'name', 'isDefault'],
  properties: {
    id: { type: 'integer', minimum: 1 },
    code: text,
    name: { type: ['string', 'null'] },
    isDefault: { type: 'boolean' },
  },
}
const changeable = {
  name: { ...text, maxLength: 100 },
  isDefault: { type: 'boolean', description: 'The former default ends.' },
} as const satisfies Record<string, JsonSchema>

const bodyOf = (properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]) => ({
  content: {
    'application/json': {
      schema: { type: 'object', ...(required.length > 0 && { required }), properties },
    },
  },
})
