/** The rows of the admin panel that become sections of a data file, checked as the plugins of these sections check them. */
import { foldEmail } from '@octavo/core/internal'
import type { Registry } from '@octavo/core/plugin'
import { editorUid } from '../model/uids.ts'
import type { Data, EditorRecord, EditorRecords, EntityRecord } from '../records.ts'
import type { Outline } from '../source/source.ts'
import type { Problem } from './problem.ts'

const tokenUid = 'admin::api-token'
const personUid = 'admin::user'
const roleUid = 'admin::role'

const tokenHash = /^([0-9a-f]{64}|[0-9a-f]{128})$/
const bcryptHash = /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/
const emailForm = /^[^\s@<>(),;:"[\]\\]{1,64}@[^\s@<>(),;:"[\]\\]+\.[^\s@.<>(),;:"[\]\\]+$/

/** The reason why a permission of users is none. */
export const wrongAction = (action: string): string | undefined =>
  /^(api|plugin)::[\w-]+\.[\w-]+\.\w+$/.test(action)
    ? undefined
    : `"action" must be the name of an action such as api::article.article.find, not ${JSON.stringify(action.slice(0, 100))}`

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

const timeOf = (value: unknown): string | null =>
  Number.isNaN(Date.parse(String(value))) ? null : textOf(value)

/** The times of a row; that of the import for one that is none. */
export const timesOf = ({ createdAt, updatedAt }: Data) => ({
  createdAt: timeOf(createdAt),
  updatedAt: timeOf(updatedAt),
})

/** A role of users in the form that its plugin takes: Strapi's tables allow rows without a name, which only its panel requires. */
export const readRole = ({ type, id, data }: EntityRecord): EntityRecord => ({
  type,
  id,
  data: {
    ...data,
    name: textOf(data.name) ?? textOf(data.type) ?? `role-${id}`,
    description: textOf(data.description),
    ...timesOf(data),
  },
})

/** A locale in the form that its plugin takes, as {@link readRole} has it. */
export const readLocale = ({ type, id, data }: EntityRecord): EntityRecord => ({
  type,
  id,
  data: { ...data, name: textOf(data.name) ?? data.code, ...timesOf(data) },
})

/** The problems of API tokens and, where the server has editors, of administrators and their roles. */
export function* sectionProblems(outline: Outline, registry: Registry): Generator<Problem> {
  yield* repeated(tokenUid, outline.apiTokens, 'accessKey', ({ accessKey }) => accessKey)
  for (const { id, accessKey } of outline.apiTokens)
    if (!tokenHash.test(accessKey)) yield problem(tokenUid, id, '"accessKey" must be the hash of a token')
  if (outline.editors && registry.contentTypes.has(editorUid)) yield* editorProblems(outline.editors)
}

function* editorProblems({ people, roles }: EditorRecords): Generator<Problem> {
  yield* repeated(roleUid, roles, 'name', ({ name }) => name)
  yield* repeated(personUid, people, 'email', ({ email }) => foldEmail(email))
  for (const { id, email, password } of people) {
    if (!isEmail(foldEmail(email))) yield problem(personUid, id, '"email" must be an address')
    if (password !== null && password !== '' && !bcryptHash.test(password))
      yield problem(personUid, id, '"password" must be a hash of bcrypt')
  }
}

const isEmail = (text: string): boolean => text.length <= 254 && emailForm.test(text)

const problem = (type: string, id: number, message: string): Problem => ({ kind: 'value', type, id, message })

/** A problem for each row whose value an earlier one has. */
function* repeated<T extends { readonly id: number }>(
  type: string,
  rows: readonly T[],
  name: keyof T & string,
  keyOf: (row: T) => string,
): Generator<Problem> {
  const first = new Map<string, number>()
  for (const row of rows) {
    const value = keyOf(row)
    const other = first.get(value)
    if (other === undefined) first.set(value, row.id)
    // A hash is a secret.
    else {
      const given =
        name === 'accessKey'
          ? `"${name}" is that of ${other}`
          : `"${name}" is ${JSON.stringify(row[name])}, which ${other} has too`
      yield { kind: 'doubled value', type, id: row.id, message: `${given} and must be unique` }
    }
  }
}

/** The outline without the rows that are invalid. A person loses the roles among them, and those that are deleted. */
export function withoutInvalid(outline: Outline, isInvalid: (type: string, id: number) => boolean): Outline {
  const apiTokens = outline.apiTokens.filter(({ id }) => !isInvalid(tokenUid, id))
  if (!outline.editors) return { ...outline, apiTokens }
  const roles = outline.editors.roles.filter(({ id }) => !isInvalid(roleUid, id))
  const present = new Set(roles.map(({ id }) => id))
  const rolesOf = (person: EditorRecord) => person.roles.filter((id) => present.has(id))
  const people = outline.editors.people
    .filter(({ id }) => !isInvalid(personUid, id))
    .map((person) => ({ ...person, roles: rolesOf(person) }))
  return { ...outline, apiTokens, editors: { people, roles } }
}
