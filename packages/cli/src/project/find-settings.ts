import path from 'node:path'
import type { Environment } from '../code/environment.ts'
import { isPlainObject } from '../code/objects.ts'
import { configFile, type Notes, readConfigFile } from './config-file.ts'
import type { Finding } from './finding.ts'
import { entriesIn, foldersIn } from './folder.ts'

/** Files of `config` with a meaning for Strapi, which are read by name or have no counterpart here. */
const known: ReadonlySet<string> = new Set(
  'admin api cron-tasks database features logger middlewares plugins server'.split(' '),
)

/** Settings that nothing here reads: files of the project's own, and the folders of other environments. */
export function findSettings(root: string, env: Environment, notes: Notes): void {
  const current = env.NODE_ENV || 'development'
  const names = new Set(['config', `config/env/${current}`].flatMap((folder) => namesIn(root, folder)))
  for (const name of names) if (!known.has(name)) noteOwn(root, name, env, notes)
  for (const folder of foldersIn(root, 'config/env').filter((one) => path.posix.basename(one) !== current))
    for (const name of namesIn(root, folder))
      notes.findings.push(ofEnvironment(configFile(root, `${folder}/${name}`) ?? folder))
}

/** The names of the files in a folder of settings. */
const namesIn = (root: string, folder: string): readonly string[] => [
  ...new Set(
    entriesIn(root, folder).flatMap(
      ({ name }) => /^(?!.*\.d\.ts$)(.+)\.(?:js|ts|json)$/.exec(name)?.[1] ?? [],
    ),
  ),
]

function noteOwn(root: string, name: string, env: Environment, notes: Notes): void {
  const read = readConfigFile(root, name, env, { ...notes, findings: { push: () => 0 } })
  if (!read) return
  const keys = isPlainObject(read.value) ? Object.keys(read.value) : []
  const which = keys.length === 0 ? '' : `, ${inWords(keys)},`
  notes.findings.push({
    kind: 'configuration',
    file: read.file,
    message: `settings of the project's own${which} which code reads by strapi.config.get('${name}')`,
  })
}

const ofEnvironment = (file: string): Finding => ({
  kind: 'configuration',
  file,
  message: `settings for NODE_ENV=${file.split('/')[2]}, with which octavo check reads them`,
})

/** `a`, `a and b`, `a, b and c` */
export const inWords = (names: readonly string[]): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
