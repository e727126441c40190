/** Locales over HTTP, for people who manage the server. */
import { type Mistake, type Octavo, sql, type Transaction } from '@octavo/core'
import { type Channel, readId } from '@octavo/core/plugin'
import type { JsonSchema, ManagedRequest, ManagedRoutes } from '@octavo/server'
import { localeUid, localizedParts } from './content-type.ts'
import { type LocaleRow, type Locales, nameOf } from './locales.ts'
import { problem } from './problems.ts'

interface Parts {
  readonly octavo: () => Octavo
  readonly locales: Locales
  readonly changes: () => Channel<null>
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

async function list({ octavo }: Parts, db: Transaction | Octavo['store'] = octavo().store) {
  const { registry } = octavo()
  return db.rows<LocaleRow>(registry.contentType(localeUid)).find({
    select: ['id', 'code', 'name', 'isDefault'],
    orderBy: { id: 'asc' },
  })
}

async function create({ fields }: ManagedRequest, parts: Parts): Promise<object> {
  const { code, name, isDefault = false } = read(fields, true)
  return changed(parts, async (tx, rows) => {
    if ((await rows.count({ code })) > 0) throw problem('i18n/locale-taken')
    const times = { createdAt: sql`now()`, updatedAt: sql`now()` }
    const [row] = await rows.insert(
      { code, name: name ?? nameOf(code), isDefault: false, ...times },
      { returning: ['id'] },
    )
    const id = row?.id as number // one row was inserted
    if (isDefault) await makeDefault(id, rows)
    return (await list(parts, tx)).find((one) => one.id === id) ?? {}
  })
}

async function change({ fields, context }: ManagedRequest, parts: Parts): Promise<object> {
  const { name, isDefault } = read(fields, false)
  return changed(parts, async (tx, rows) => {
    const { id } = await found(readId(context.params.id), rows)
    if (name !== undefined) await rows.update({ where: { id }, set: { name, updatedAt: sql`now()` } })
    if (isDefault === true) await makeDefault(id, rows)
    return (await list(parts, tx)).find((one) => one.id === id) ?? {}
  })
}

async function remove({ context }: ManagedRequest, parts: Parts): Promise<object> {
  return changed(parts, async (tx, rows) => {
    const { id, code, name, isDefault } = await found(readId(context.params.id), rows)
    const refuse = (message: string) => problem('i18n/locale-needed', { message })
    if (isDefault) throw refuse('Another locale must be the default first')
    if (parts.locales.isConfigured(code)) throw refuse('The configuration has this locale')
    for (const type of parts.octavo().registry.contentTypes.values())
      if (localizedParts(type) && (await tx.rows(type).count({ locale: code })) > 0)
        throw refuse(`There are entries of ${type.singularName} in this locale`)
    await rows.delete({ where: { id } })
    return { id, code, name, isDefault }
  })
}

type LocaleRows = ReturnType<typeof rowsOf>

const rowsOf = (tx: Transaction, { registry }: Octavo) => tx.rows<LocaleRow>(registry.contentType(localeUid))

/** Runs a change of locales, one at a time, and makes it known to all processes. */
async function changed(
  { octavo, locales, changes }: Parts,
  work: (tx: Transaction, rows: LocaleRows) => Promise<object>,
): Promise<object> {
  const { store, registry } = octavo()
  const result = await store.transaction(async (tx) => {
    await tx.lock('octavo locales')
    const done = await work(tx, rowsOf(tx, octavo()))
    await changes().publish(null, tx)
    return done
  })
  await locales.read(store, registry)
  return result
}

async function makeDefault(id: number, rows: LocaleRows): Promise<void> {
  await rows.update({ where: { isDefault: true, id: { $ne: id } }, set: { isDefault: false } })
  await rows.update({ where: { id }, set: { isDefault: true, updatedAt: sql`now()` } })
}

/** @throws NotFoundError */
async function found(id: number | undefined, rows: LocaleRows): Promise<LocaleRow> {
  const row = id === undefined ? undefined : await rows.first({ where: { id } })
  if (!row) throw problem('i18n/no-such-locale')
  return row
}

/** `en`, `pt-BR`, `zh-Hans-CN` */
const codeForm = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/

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
