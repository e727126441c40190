import path from 'node:path'
import { type ComponentDefinition, silentLogger } from '@octavo/core'
import { checkDefinitions, definitionsOf } from '@octavo/core/internal'
import { octavoOptions } from '@octavo/server'
import type { CommonFlags } from '../server-options.ts'
import { UsageError } from '../usage-error.ts'
import { addFile } from '../write-whole.ts'
import { readAttributes } from './attributes.ts'
import { contentFolder, isName, layoutOf, optionsOf, titleOf } from './type.ts'

/**
 * `octavo generate component`: writes a component into the folder of definitions. The definition is checked with all others first.
 *
 * @param uid `shared.seo`: its category and its name.
 * @throws UsageError when the component exists or an attribute cannot be read; DefinitionError for other mistakes. Writes nothing then.
 */
export async function generateComponent(
  uid: string,
  attributes: readonly string[],
  flags: CommonFlags,
): Promise<void> {
  const [category = '', name = '', ...more] = uid.split('.')
  if (!isName(category) || !isName(name) || more.length > 0)
    throw new UsageError(`The name of a component is like shared.seo, not ${JSON.stringify(uid)}`)
  const content = await contentFolder(flags)
  const options = await optionsOf(content, flags)
  const { contentTypes, components } = checkDefinitions({ ...octavoOptions(options), logger: silentLogger })
  if (components.has(uid)) throw new UsageError(`${uid} exists: choose another name`)
  const definition = {
    collectionName: `components_${category}_${name}`.replaceAll('-', '_'),
    info: { displayName: titleOf(name) },
    attributes: readAttributes(attributes, [...contentTypes.values()]),
  } satisfies Omit<ComponentDefinition, 'uid'>
  checkDefinitions({
    ...octavoOptions({
      ...options,
      components: [...definitionsOf<ComponentDefinition>(options.components), { ...definition, uid }],
    }),
    logger: silentLogger,
  })
  const folder = layoutOf(content)?.folder === 'src/api' ? 'src/components' : 'components'
  const file = path.join(content, folder, category, `${name}.json`)
  await addFile(file, `${JSON.stringify(definition, null, 2)}\n`)
  console.log(`${path.relative('.', file)}: ${uid}, for an attribute such as name:component:${uid}`)
}
