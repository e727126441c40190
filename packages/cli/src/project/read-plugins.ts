import path from 'node:path'
import type { GraphqlOptions } from '@octavo/plugin-graphql'
import type { I18nOptions } from '@octavo/plugin-i18n'
import type { UploadOptions } from '@octavo/plugin-upload'
import type { UsersPermissionsOptions } from '@octavo/plugin-users-permissions'
import ms, { type StringValue } from 'ms'
import type { Environment } from '../code/environment.ts'
import { given, hasAny, isPlainObject } from '../code/objects.ts'
import { ConfigValues, type Notes, readConfigFile, text, texts, wholeNumber } from './config-file.ts'
import { emailProvider, pluginMessage, uploadProvider } from './known-plugins.ts'
import { size } from './read-middlewares.ts'
import type { PluginSettings } from './settings.ts'

/** Characters of a secret that users-permissions takes from a project. */
const minStrapiSecret = 20

interface FromElsewhere {
  readonly publicUrl: string | undefined
  readonly fileSize: number | undefined
}

/** Reads `config/plugins`: options of plugins with a counterpart in Octavo, and the names of all other enabled ones. */
export function readPlugins(
  root: string,
  env: Environment,
  notes: Notes,
  { publicUrl, fileSize }: FromElsewhere,
): PluginSettings {
  const read = readConfigFile(root, 'plugins', env, notes)
  const { file, value } = read ?? { file: 'config/plugins.js', value: {} }
  if (!isPlainObject(value)) new ConfigValues(file, value, notes).leaveRest()
  const all = isPlainObject(value) ? value : {}
  const config = (name: string): ConfigValues => {
    const plugin = all[name]
    // Before 4.0 the options were not nested in `config`, and some projects still have this form.
    const options = isPlainObject(plugin) && 'config' in plugin ? plugin.config : withoutSwitch(plugin)
    return new ConfigValues(file, options, notes, 'config' in Object(plugin) ? `${name}.config` : name)
  }
  for (const [name, plugin] of Object.entries(all))
    if (!ours.has(name) && isOn(plugin))
      notes.findings.push(
        isEmail(name, plugin)
          ? { kind: 'provider', file, message: `email.config.provider: ${emailProvider}` }
          : { kind: 'plugin', file, message: pluginMessage(name, plugin) },
      )
  const users = readUsersPermissions(config('users-permissions'), publicUrl, sourceOf)
  noteShortSecret(users, file, notes)
  const upload = readUpload(config('upload'), fileSize, file, notes)
  const i18n = readI18n(config('i18n'), env)
  const graphql = readGraphql(config('graphql'))
  return {
    ...(hasAny(users) && { usersPermissions: users }),
    ...turned('upload', upload),
    ...turned('i18n', i18n),
    ...turned('graphql', graphql),
  }

  /** The variable of a secret and its file, or the key of the configuration. */
  function sourceOf(secret: string): string {
    const variable = Object.entries(env).find(([, value]) => value === secret)?.[0]
    if (variable === undefined) return `jwtSecret of users-permissions in ${path.join(root, file)}`
    return process.env[variable] === secret
      ? `the environment variable ${variable}`
      : `${variable} in ${path.join(root, process.env.ENV_PATH ?? '.env')}`
  }

  function turned(name: 'upload' | 'i18n' | 'graphql', options: object) {
    if (name in all && !isOn(all[name])) {
      notes.used.push({ file, message: `${name}.enabled = false` })
      return { [name]: false }
    }
    return hasAny(options) ? { [name]: options } : {}
  }
}

const ours: ReadonlySet<string> = new Set(['users-permissions', 'upload', 'i18n', 'graphql'])

/** A start would refuse it; `octavo check` opens nothing that needs a secret. */
function noteShortSecret({ jwt }: UsersPermissionsOptions, file: string, { findings }: Notes): void {
  if (jwt?.secret === undefined || jwt.secret.length >= minStrapiSecret) return
  findings.push({
    kind: 'configuration',
    file,
    message: `the secret for tokens, ${jwt.secretSource ?? 'jwtSecret'}, has ${jwt.secret.length} characters, and a start needs ${minStrapiSecret}. A new one, with which everybody logs in again: openssl rand -base64 18`,
  })
}

/** The plugin for emails with a provider of its own. */
const isEmail = (name: string, plugin: unknown): boolean =>
  name === 'email' && isPlainObject(plugin) && isPlainObject(plugin.config) && 'provider' in plugin.config

const isOn = (plugin: unknown): boolean =>
  plugin !== false && !(isPlainObject(plugin) && plugin.enabled === false)

function withoutSwitch(plugin: unknown): unknown {
  if (!isPlainObject(plugin)) return undefined
  const { enabled: _, ...options } = plugin
  return options
}

function readUsersPermissions(
  values: ConfigValues,
  publicUrl: string | undefined,
  sourceOf: (secret: string) => string,
): UsersPermissionsOptions {
  const secret = values.take('jwtSecret', text, true)
  const jwt = given({
    secret,
    secretSource: secret && sourceOf(secret),
    // The secrets of Strapi have 24 characters, and the tokens that they signed remain valid.
    acceptStrapiTokens: true,
    expiresIn: values.take('jwt.expiresIn', seconds),
  })
  const register = given({ allowedFields: values.take('register.allowedFields', texts) })
  const rateLimit = given({
    points: values.take('ratelimit.max', wholeNumber),
    duration: values.take('ratelimit.interval', interval),
  })
  if (values.peek('ratelimit.enabled') === true) values.ignore('ratelimit.enabled')
  values.leaveRest()
  return {
    ...(hasAny(jwt) && { jwt }),
    ...(hasAny(register) && { register }),
    ...(hasAny(rateLimit) && { rateLimit }),
    ...(publicUrl !== undefined && { publicUrl }),
  }
}

/** Seconds of `7d` or of a number, which is in seconds; a text of digits alone is in milliseconds. */
function seconds(value: unknown): number | undefined {
  if (typeof value === 'number') return value > 0 ? Math.floor(value) : undefined
  const milliseconds = typeof value === 'string' ? ms(value as StringValue) : undefined // `undefined` for any other text
  return milliseconds !== undefined && milliseconds >= 1000 ? Math.floor(milliseconds / 1000) : undefined
}

/** Seconds of milliseconds, or of `{ min: 5 }`. */
function interval(value: unknown): number | undefined {
  if (typeof value === 'number') return value >= 1000 ? Math.floor(value / 1000) : undefined
  if (!isPlainObject(value)) return undefined
  const units = { sec: 1, min: 60, hour: 3600, day: 86_400 }
  const [[unit, count] = ['', 0], ...more] = Object.entries(value)
  const known = Object.entries(units).find(([name]) => name === unit)
  return known && more.length === 0 && typeof count === 'number' ? known[1] * count : undefined
}

function readUpload(
  values: ConfigValues,
  fromBody: number | undefined,
  file: string,
  notes: Notes,
): UploadOptions {
  const own = values.take('sizeLimit', size) ?? values.take('providerOptions.sizeLimit', size)
  const breakpoints = values.take('breakpoints', (value) =>
    isPlainObject(value) && Object.values(value).every((pixels) => wholeNumber(pixels) !== undefined)
      ? (value as Readonly<Record<string, number>>) // checked above
      : undefined,
  )
  const provider = values.peek('provider')
  values.ignore('provider')
  if (provider !== undefined && provider !== 'local') {
    values.ignore('providerOptions', 'actionOptions')
    const name = typeof provider === 'string' ? provider : 'of a computed name'
    notes.findings.push({
      kind: 'provider',
      file,
      message: `upload.provider ${name}: files are stored in public/uploads without the option; ${uploadProvider(name)}`,
    })
  }
  values.leaveRest()
  // The smaller limit applies.
  const sizes = [own, fromBody].filter((limit) => limit !== undefined)
  return {
    ...(sizes.length > 0 && { limits: { fileSize: Math.min(...sizes) } }),
    ...(breakpoints && { images: { breakpoints } }),
  }
}

function readI18n(values: ConfigValues, env: Environment): I18nOptions {
  const initial = env.STRAPI_PLUGIN_I18N_INIT_LOCALE_CODE
  const defaultLocale = values.take('defaultLocale', text) ?? initial
  const locales = values.take('locales', texts) ?? (defaultLocale && [defaultLocale])
  values.leaveRest()
  return { ...(locales && { locales }), ...(defaultLocale && { defaultLocale }) }
}

/** `depthLimit: -1` and `amountLimit: -1`, without a bound, are left to the defaults. */
function readGraphql(values: ConfigValues): GraphqlOptions {
  const isBoolean = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)
  const options = given({
    endpoint: values.take('endpoint', text),
    defaultLimit: values.take('defaultLimit', wholeNumber),
    amountLimit: values.take('amountLimit', wholeNumber),
    depthLimit: values.take('depthLimit', wholeNumber),
    introspection: values.take('apolloServer.introspection', isBoolean),
    playgroundAlways: values.take('playgroundAlways', isBoolean),
  })
  // The schema has all content-types, and there are no subscriptions. `false` says what is so, or is reported with the rest.
  if (values.peek('shadowCRUD') === true) values.ignore('shadowCRUD')
  if (values.peek('subscriptions') === false) values.ignore('subscriptions')
  values.ignore('generateArtifacts')
  values.leaveRest()
  return options
}
