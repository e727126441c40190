import type { ServerOptions } from '@octavo/server'
import type { Environment } from '../code/environment.ts'
import { given } from '../code/objects.ts'
import { ConfigValues, type Notes, readConfigFile, text, texts, wholeNumber, yesOrNo } from './config-file.ts'
import { findSettings } from './find-settings.ts'
import { readMiddlewares } from './read-middlewares.ts'
import { readPanel } from './read-panel.ts'
import { readPlugins } from './read-plugins.ts'
import type { Settings } from './settings.ts'

type Rest = NonNullable<NonNullable<ServerOptions['api']>['rest']>

/** Reads the settings in `config` of a project, and notes those that are not read. */
export function readSettings(root: string, env: Environment, notes: Notes, hasOurPlugins: boolean): Settings {
  const { privateAttributes, ...rest } = readApi(root, env, notes)
  const { publicUrl, ...server } = readServer(root, env, notes)
  const { cors, bodySize, fileSize } = readMiddlewares(root, env, notes)
  readPanel(root, env, notes)
  findSettings(root, env, notes)
  const plugins = readPlugins(root, env, hasOurPlugins ? notes : withoutUsed(notes), { publicUrl, fileSize })
  return {
    options: {
      ...(Object.keys(rest).length > 0 && { api: { rest } }),
      ...(privateAttributes && { privateAttributes }),
      ...(cors && { cors }),
      ...(bodySize !== undefined && { body: { bodySize } }),
    },
    server,
    plugins,
  }
}

/** Notes without used settings: the configuration has its own plugins, with their options. */
const withoutUsed = ({ findings }: Notes): Notes => ({
  findings,
  used: {
    push: ({ file, message }) =>
      findings.push({
        kind: 'configuration',
        file,
        message: `${message} is not used: octavo.config names its own plugins`,
      }),
  },
})

function readApi(
  root: string,
  env: Environment,
  notes: Notes,
): Rest & Pick<ServerOptions, 'privateAttributes'> {
  const read = readConfigFile(root, 'api', env, notes)
  if (!read) return {}
  const values = new ConfigValues(read.file, read.value, notes)
  const prefix = values.take('rest.prefix', text)
  const settings = {
    prefix: prefix && `/${prefix.replace(/^\/|\/$/g, '')}`,
    defaultLimit: values.take('rest.defaultLimit', wholeNumber),
    maxLimit: values.take('rest.maxLimit', wholeNumber),
    withCount: values.take('rest.withCount', yesOrNo),
    privateAttributes: values.take('responses.privateAttributes', texts),
  }
  values.leaveRest()
  return given(settings)
}

function readServer(
  root: string,
  env: Environment,
  notes: Notes,
): { readonly port?: number; readonly host?: string; readonly publicUrl?: string } {
  const read = readConfigFile(root, 'server', env, notes)
  if (!read) return {}
  const values = new ConfigValues(read.file, read.value, notes)
  const cron = values.peek('cron.enabled')
  if (cron !== undefined && cron !== false)
    notes.findings.push({ kind: 'cron', file: read.file, message: 'cron.enabled: scheduled tasks' })
  // Octavo has no sessions, administration panel or webhooks.
  values.ignore('app', 'admin', 'webhooks.populateRelations', 'dirs.public', 'cron', 'emitErrors')
  const server = {
    port: values.take('port', wholeNumber),
    host: values.take('host', text),
    publicUrl: values.take('url', (value) =>
      typeof value === 'string' && /^https?:\/\//.test(value) ? value.replace(/\/$/, '') : undefined,
    ),
  }
  values.leaveRest()
  return given(server)
}
