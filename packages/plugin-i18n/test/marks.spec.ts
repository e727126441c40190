import { type ContentTypeDefinition, type Logger, silentLogger } from '@octavo/core'
import { checkDefinitions, withSource } from '@octavo/core/internal'
import { i18n } from '@octavo/plugin-i18n'
import { octavoOptions } from '@octavo/server'
import { expect, it } from 'vitest'

const marked = { i18n: { localized: true } }

/** The warnings about a content-type in a file. */
function warningsOf(definition: object): readonly string[] {
  const warnings: string[] = []
  const type: ContentTypeDefinition = {
    kind: 'collectionType',
    info: { singularName: 'page', pluralName: 'pages' },
    attributes: { title: { type: 'string' } },
    ...definition,
  }
  const logger: Logger = {
    ...silentLogger,
    warn: (_, message) => void warnings.push(message),
    child: () => logger,
  }
  checkDefinitions(
    octavoOptions({ contentTypes: [withSource(type, 'page.json')], plugins: [i18n()], logger }),
  )
  return warnings
}

const titled = (pluginOptions: object, more: object = {}): object => ({
  attributes: { title: { type: 'string', pluginOptions }, ...more },
})

it.each<[string, object, string]>([
  [
    'misspelt',
    { pluginOptions: { i18n: { localised: true } } },
    'pluginOptions.i18n.localised: there is no such key; did you mean "localized"?',
  ],
  [
    'misspelt on an attribute',
    { pluginOptions: marked, ...titled({ i18n: { localised: true } }) },
    'attributes.title.pluginOptions.i18n.localised: there is no such key; did you mean "localized"?',
  ],
  [
    'a text',
    { pluginOptions: { i18n: { localized: 'true' } } },
    'pluginOptions.i18n.localized: must be true or false; "true" is ignored',
  ],
  [
    'one level too high',
    { pluginOptions: { localized: true } },
    'pluginOptions.localized: has no effect here; it is written { "i18n": { "localized": true } }',
  ],
  [
    'the plugin alone',
    { pluginOptions: { i18n: true } },
    'pluginOptions.i18n: must be { "localized": true }; true is ignored',
  ],
  [
    'on an attribute only',
    titled(marked),
    'attributes.title.pluginOptions.i18n.localized: has no effect, since the content-type itself has no { "pluginOptions": { "i18n": { "localized": true } } }',
  ],
  [
    'beside an attribute with the name of one that it adds',
    { pluginOptions: marked, ...titled({}, { locale: { type: 'enumeration', enum: ['north'] } }) },
    'attributes.locale: is replaced by the attribute of this name that each localized content-type has; rename it',
  ],
])('A mark that has no effect is a warning with its place: %s', (_, definition, warning) => {
  expect(warningsOf(definition)).toEqual([`page.json: ${warning}`])
})

it('Marks that have an effect, and the attributes in an export of the reference, are no warning', () => {
  const locale = { type: 'string', writable: true, private: false, configurable: false, visible: false }
  expect(warningsOf({ pluginOptions: marked, ...titled(marked, { locale }) })).toEqual([])
  expect(
    warningsOf({ pluginOptions: { i18n: { localized: false } }, ...titled({ other: { localised: 1 } }) }),
  ).toEqual([])
})
