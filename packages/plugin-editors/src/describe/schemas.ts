import type { JsonSchema } from '@octavo/server'
import { contentActions, generalActions } from '../rights/right.ts'

const text: JsonSchema = { type: 'string' }
const maybe: JsonSchema = { type: ['string', 'null'] }
const id: JsonSchema = { type: 'integer', minimum: 1 }
const ids: JsonSchema = { type: 'array', items: id }
const time: JsonSchema = { type: ['string', 'null'], format: 'date-time' }
const texts: JsonSchema = { type: 'array', items: text }

export const object = (
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = Object.keys(properties),
): JsonSchema => ({ type: 'object', ...(required.length > 0 && { required }), properties })

const limits = {
  fields: { ...texts, description: 'Attributes; those of components by path. Default: all.' },
  locales: { ...texts, description: 'Codes of locales. Default: all.' },
  where: {
    type: 'object',
    description:
      'A condition with the grammar of `filters`. `$editor.id` is the id of the editor, `$editor.roles` are its roles.',
  },
} as const satisfies Record<string, JsonSchema>

const right: JsonSchema = {
  oneOf: [
    object(
      {
        action: { enum: contentActions },
        type: { ...text, description: 'The uid of a content-type.' },
        ...limits,
      },
      ['action', 'type'],
    ),
    object({ action: { enum: generalActions } }),
  ],
}

const alternatives: JsonSchema = {
  type: 'array',
  minItems: 1,
  description: 'What is allowed is what one of them allows.',
  items: object(limits, []),
}

const person: JsonSchema = object({
  id,
  email: maybe,
  firstname: maybe,
  lastname: maybe,
  username: maybe,
  language: maybe,
  active: { type: 'boolean' },
  invited: { type: 'boolean', description: 'Whether the person has not come in yet.' },
  secondFactor: { type: 'boolean', description: 'Whether signing in needs a code.' },
  roles: ids,
  createdAt: time,
  updatedAt: time,
})

const self: JsonSchema = object({
  person: object({
    id,
    firstname: maybe,
    lastname: maybe,
    username: maybe,
    email: maybe,
    language: maybe,
    secondFactor: { type: 'boolean' },
  }),
  roles: { type: 'array', items: object({ id, name: text }) },
  may: object({
    ...Object.fromEntries(generalActions.map((action) => [action, { type: 'boolean' }])),
    content: {
      type: 'object',
      description: 'By uid of a content-type, then by action; an action that is not there is refused.',
      additionalProperties: object(
        Object.fromEntries(contentActions.map((action) => [action, alternatives])),
        [],
      ),
    },
  }),
})

/** The schemas of the desk, by name. */
export const deskSchemas: Readonly<Record<string, JsonSchema>> = {
  DeskOk: object({ ok: { const: true } }),
  DeskSelf: self,
  DeskRight: right,
  DeskPerson: person,
  DeskRole: object({
    id,
    name: text,
    description: maybe,
    rights: { type: 'array', items: { $ref: '#/components/schemas/DeskRight' } },
    createdAt: time,
    updatedAt: time,
  }),
  DeskLink: object({
    link: { ...text, description: 'The page that sets a password, with the token behind `#`.' },
    token: { ...text, description: 'For `POST /desk/api/accept`, once.' },
  }),
  DeskSession: object({
    id,
    agent: { ...text, description: 'The `User-Agent` of the sign-in.' },
    createdAt: time,
    usedAt: time,
    expiresAt: time,
    current: { type: 'boolean', description: 'Whether it is the session of this request.' },
  }),
  DeskMay: object({
    read: { const: true },
    update: { type: 'boolean' },
    delete: { type: 'boolean' },
    publish: { type: 'boolean' },
  }),
}
