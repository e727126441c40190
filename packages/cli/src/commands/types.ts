import { readFile } from 'node:fs/promises'
import { type ComponentDefinition, silentLogger } from '@octavo/core'
import { checkDefinitions, definitionsOf } from '@octavo/core/internal'
import { octavoOptions } from '@octavo/server'
import { counted } from '../counted.ts'
import { createLogger } from '../logger.ts'
import { refuseUnwritable } from '../refuse-unwritable.ts'
import { type CommonFlags, configured } from '../server-options.ts'
import { firstLine, printTypes, uidOf, withAdded } from '../types/print-types.ts'
import { UsageError } from '../usage-error.ts'
import { writeWhole } from '../write-whole.ts'

export interface TypesFlags extends CommonFlags {
  /** `-` is the standard output. */
  readonly out: string
  readonly check?: true
  readonly import?: readonly string[]
}

/** Plugins whose attributes and parameters are declared beside their code. */
const declaring: ReadonlyMap<string, string> = new Map([
  ['draft-publish', '@octavo/plugin-draft-publish'],
  ['i18n', '@octavo/plugin-i18n'],
  ['upload', '@octavo/plugin-upload'],
])

/** Accounts and roles of editors, which have no endpoints. Relations to them have unknown attributes. */
const withoutEndpoints: ReadonlySet<string> = new Set(['plugin::editors.editor', 'plugin::editors.role'])

/**
 * `octavo types`: writes the types of the content-types of a folder or a configuration. Opens no database.
 * @throws DefinitionError; UsageError with `--check` when the file is out of date
 */
export async function writeTypes(flags: TypesFlags): Promise<void> {
  if (flags.out === '-' && flags.check)
    throw new UsageError('--check compares a file: name it with --out, in place of the standard output')
  if (flags.out !== '-' && !flags.check) await refuseUnwritable(flags.out)
  const written = flags.out === '-' ? undefined : await readFile(flags.out, 'utf8').catch(() => undefined)
  if (!flags.check && written?.trim() && !written.startsWith(firstLine))
    throw new UsageError(
      `${flags.out} is not a file of octavo types and stays as it is; name another one with --out, or delete it`,
    )
  const { options } = await configured(flags, await createLogger(flags))
  // Validates all definitions, and has the content-types of plugins.
  const registry = checkDefinitions({ ...octavoOptions(options), logger: silentLogger })
  const own = definitionsOf(options.contentTypes).map((type) => withAdded(type, uidOf(type), registry))
  const ownComponents = definitionsOf<ComponentDefinition>(options.components).map((component) =>
    withAdded(component, component.uid, registry),
  )
  const known = new Set([...own.map(uidOf), ...ownComponents.map(({ uid }) => uid), ...withoutEndpoints])
  const ofPlugins = [...registry.contentTypes.values()].filter(({ uid }) => !known.has(uid))
  const componentsOfPlugins = [...registry.components.values()].filter(({ uid }) => !known.has(uid))
  const names = new Set((options.plugins ?? []).map(({ name }) => name))
  const text = printTypes({
    contentTypes: [...own, ...ofPlugins.map(({ definition }) => definition)],
    components: [...ownComponents, ...componentsOfPlugins.map(({ definition }) => definition)],
    imports: [
      ...[...declaring].filter(([name]) => names.has(name)).map(([, module]) => module),
      ...(flags.import ?? []),
    ],
  })
  if (flags.out === '-') return void process.stdout.write(text)
  if (!flags.check) {
    // Programs that watch the file have nothing to do then.
    if (written?.replaceAll('\r\n', '\n') !== text) await writeWhole(flags.out, text)
    return console.log(`${flags.out}: ${counted(own.length, 'content-type')}`)
  }
  if (written === undefined) throw new UsageError(`${flags.out} does not exist; write it with octavo types`)
  if (written.replaceAll('\r\n', '\n') !== text)
    throw new UsageError(`${flags.out} is out of date; write it again with octavo types`)
  console.log(`${flags.out} is up to date`)
}
