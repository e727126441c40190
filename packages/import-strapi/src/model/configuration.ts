import type { StoreItem } from '../records.ts'

/** The settings of a project as a configuration of Octavo. */
export interface ProjectConfiguration {
  /** Text of `octavo.config.ts`. */
  readonly text: string
  /** Environment variables of the configuration, with their descriptions. */
  readonly environment: Readonly<Record<string, string>>
  /** Settings without a counterpart, and settings to check. */
  readonly notes: readonly string[]
}

export interface ConfigurationOptions {
  /** Folder of the content-types. */
  readonly content: string
  /** Path of a file with attributes added to users. */
  readonly userSchema?: string
  /** Path of a file with attributes added to files. */
  readonly fileSchema?: string
  /** Whether the project's administrators come along as editors, who need the desk. Default false. */
  readonly editors?: boolean
  /** Whether it has webhooks. Default false. */
  readonly webhooks?: boolean
  /** Whether its API tokens come along; an archive has none. Default false. */
  readonly apiTokens?: boolean
}

type Values = Readonly<Record<string, unknown>>

/** Writes the settings of Strapi's database as a configuration: registration, confirmation, reset, email templates, sign-in providers. */
export function toConfiguration(
  settings: readonly StoreItem[],
  options: ConfigurationOptions,
): ProjectConfiguration {
  const notes: string[] = []
  const environment: Record<string, string> = {
    JWT_SECRET: 'the JWT_SECRET of the old project, so that people stay logged in',
    ...(options.apiTokens && {
      API_TOKEN_SALT: 'the API_TOKEN_SALT of the old project, so that its API tokens remain valid',
    }),
  }
  const storedAt = (key: string): Values => objectOf(settings.find((item) => item.key === key)?.value)
  const advanced = storedAt('plugin_users-permissions_advanced')
  const users = [
    ...userSchema(options),
    "    // Tokens that were signed with the same secret hold until the user's password is changed.",
    '    jwt: { acceptStrapiTokens: true },',
    '    // A write that changes a relation needs `find` on the other side, as in Strapi. Without this line it needs',
    '    // `update` there, for it changes that entry too, which is safer.',
    "    farSide: 'find',",
    ...registration(advanced),
    ...urls(advanced),
    ...email(storedAt('plugin_users-permissions_email'), notes),
    ...providers(storedAt('plugin_users-permissions_grant'), environment, notes),
  ]
  const text = `import { defineConfig } from '@octavo/cli'
${options.editors ? "import { desk } from '@octavo/plugin-desk'\n" : ''}import { draftPublish } from '@octavo/plugin-draft-publish'
${options.editors ? "import { editors } from '@octavo/plugin-editors'\n" : ''}import { graphql } from '@octavo/plugin-graphql'
import { i18n } from '@octavo/plugin-i18n'
import { upload } from '@octavo/plugin-upload'
import { usersPermissions } from '@octavo/plugin-users-permissions'
${options.webhooks ? "import { webhooks } from '@octavo/plugin-webhooks'\n" : ''}
export default defineConfig({
  content: ${quote(options.content)},
  plugins: [
    i18n(),
    draftPublish(),
    upload(${options.fileSchema === undefined ? '' : `{ file: ${quote(options.fileSchema)} }`}),
    usersPermissions({
${users.map((line) => `  ${line}`).join('\n')}
    }),
    // Answers /graphql, with the rights of /api. A project without @strapi/plugin-graphql may leave it out.
    graphql(),
${options.editors ? '    // Administrators are editors here, and write at /desk.\n    editors(),\n    desk(),\n' : ''}${options.webhooks ? '    // Those of the database; the desk has a page for them.\n    webhooks(),\n' : ''}  ],
})
`
  return { text, environment, notes }
}

const userSchema = ({ userSchema }: ConfigurationOptions) =>
  userSchema === undefined ? [] : [`    user: ${quote(userSchema)},`]

function registration({ allow_register, default_role, email_confirmation }: Values): readonly string[] {
  const register = {
    ...(allow_register === false && { enabled: false }),
    ...(typeof default_role === 'string' &&
      default_role !== 'authenticated' && { defaultRole: default_role }),
  }
  return [
    ...(Object.keys(register).length > 0 ? [`    register: ${JSON.stringify(register)},`] : []),
    ...(email_confirmation === true ? ['    emailConfirmation: true,'] : []),
  ]
}

function urls({ email_reset_password, email_confirmation_redirection }: Values): readonly string[] {
  const pages = {
    ...(isText(email_reset_password) && { resetPassword: email_reset_password }),
    ...(isText(email_confirmation_redirection) && { afterConfirmation: email_confirmation_redirection }),
  }
  return Object.keys(pages).length > 0 ? [`    urls: ${JSON.stringify(pages)},`] : []
}

function email(templates: Values, notes: string[]): readonly string[] {
  const names = [
    ['resetPassword', 'reset_password'],
    ['emailConfirmation', 'email_confirmation'],
  ] as const
  const written = names.flatMap(([name, key]) => {
    const { object, message } = objectOf(objectOf(templates[key]).options)
    if (!isText(object) || !isText(message)) return []
    const [subject, html] = [object, message].map((text) => toTemplate(text, key, notes)) as [string, string]
    const text = html
      .replace(/<\/p>|<br\s*\/?>/gi, '\n')
      .replace(/<[^>]*>/g, '')
      .trim()
    return [
      `        ${name}: {`,
      `          subject: ${quote(subject)},`,
      `          text: ${quote(text)},`,
      `          html: ${quote(html)},`,
      '        },',
    ]
  })
  if (written.length === 0) return []
  const { name, email: address } = objectOf(objectOf(objectOf(templates.reset_password).options).from)
  const from = isText(address)
    ? [`      from: ${quote(isText(name) ? `${name} <${address}>` : address)},`]
    : []
  return ['    email: {', ...from, '      templates: {', ...written, '      },', '    },']
}

/** The fields of a template of lodash as those of ours. The address has its code already. */
function toTemplate(text: string, key: string, notes: string[]): string {
  const made = text
    .replace(/<%=\s*URL\s*%>(\?(code|confirmation)=<%=\s*(TOKEN|CODE)\s*%>)?/g, '{{url}}')
    .replace(/<%=\s*USER\.(username|email)\s*%>/g, '{{$1}}')
  const [other] = /<%.*?%>/s.exec(made) ?? []
  if (other) notes.push(`the email template ${key} has ${other}, which Octavo does not replace`)
  return made
}

/** Providers that are switched on. Providers without a preset need the address of their issuer. */
function providers(grants: Values, environment: Record<string, string>, notes: string[]): readonly string[] {
  const lines = Object.entries(grants).flatMap(([name, given]) => {
    const { enabled, key, callback } = objectOf(given)
    if (name === 'email' || enabled !== true) return []
    const preset = name === 'google' || name === 'github'
    const variable = `${name.toUpperCase().replace(/\W/g, '_')}_CLIENT_SECRET`
    environment[variable] = `the secret of the sign-in provider ${name}, in the settings of the old project`
    if (!preset) notes.push(`the sign-in provider ${name} needs the address of its OpenID Connect issuer`)
    if (!isText(callback)) notes.push(`the sign-in provider ${name} has no page that people come back to`)
    return [
      `      ${quote(name)}: {`,
      preset
        ? `        preset: ${quote(name)},`
        : "        issuer: '', // of its OpenID Connect configuration",
      `        clientId: ${quote(String(key ?? ''))},`,
      `        clientSecret: process.env.${variable} ?? '',`,
      `        callbacks: [${isText(callback) ? quote(callback) : ''}],`,
      '      },',
    ]
  })
  return lines.length > 0 ? ['    providers: {', ...lines, '    },'] : []
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const objectOf = (value: unknown): Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : {}

/** A literal of TypeScript; JSON is one. */
const quote = (text: string): string => JSON.stringify(text)
