/** The content-types of the fixtures of this repository, and one with every attribute type. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AttributeDefinition, FormModel, FormSchema } from '../../src/form/index.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

interface SchemaFile {
  readonly info: { readonly singularName: string }
  readonly attributes: Readonly<Record<string, AttributeDefinition>>
}

const read = (path: string): SchemaFile => JSON.parse(readFileSync(path, 'utf8')) as SchemaFile

/** The model in a folder with `content-types` and `components`. */
function modelIn(folder: string): FormModel {
  const contentTypes: Record<string, FormSchema> = {}
  for (const file of readdirSync(`${root}/${folder}/content-types`)) {
    const { info, attributes } = read(`${root}/${folder}/content-types/${file}`)
    const uid = `api::${info.singularName}.${info.singularName}`
    contentTypes[uid] = { uid, attributes }
  }
  const components: Record<string, FormSchema> = {}
  for (const category of readdirSync(`${root}/${folder}/components`))
    for (const file of readdirSync(`${root}/${folder}/components/${category}`)) {
      const uid = `${category}.${file.replace(/\.json$/, '')}`
      components[uid] = {
        uid,
        attributes: read(`${root}/${folder}/components/${category}/${file}`).attributes,
      }
    }
  return { contentTypes, components }
}

const schema = (uid: string, attributes: FormSchema['attributes']): FormSchema => ({ uid, attributes })

/** Every attribute type, components three levels deep, and zones in zones' components. */
export const everyType: FormModel = {
  contentTypes: {
    'api::every.every': schema('api::every.every', {
      string: { type: 'string', required: true, maxLength: 120 },
      text: { type: 'text' },
      richtext: { type: 'richtext' },
      email: { type: 'email' },
      password: { type: 'password' },
      uid: { type: 'uid', targetField: 'string' },
      enumeration: { type: 'enumeration', enum: ['one', 'two'], default: 'one' },
      integer: { type: 'integer', min: 0 },
      biginteger: { type: 'biginteger' },
      float: { type: 'float' },
      decimal: { type: 'decimal' },
      boolean: { type: 'boolean', default: false },
      date: { type: 'date' },
      time: { type: 'time' },
      datetime: { type: 'datetime' },
      timestamp: { type: 'timestamp' },
      json: { type: 'json' },
      blocks: { type: 'blocks' },
      color: { type: 'customField', customField: 'plugin::color-picker.color' },
      one: { type: 'relation', relation: 'manyToOne', target: 'api::every.every' },
      many: { type: 'relation', relation: 'manyToMany', target: 'api::every.every' },
      subjects: { type: 'relation', relation: 'morphToMany' },
      picture: { type: 'media' },
      pictures: { type: 'media', multiple: true },
      single: { type: 'component', component: 'part.outer' },
      list: { type: 'component', component: 'part.outer', repeatable: true, min: 1, max: 5 },
      zone: { type: 'dynamiczone', components: ['part.outer', 'part.inner'] },
      createdBy: { type: 'relation', relation: 'manyToOne', target: 'plugin::editors.editor' },
    }),
  },
  components: {
    'part.outer': schema('part.outer', {
      title: { type: 'string' },
      body: { type: 'blocks' },
      markdown: { type: 'richtext' },
      picture: { type: 'media' },
      related: { type: 'relation', relation: 'oneToMany', target: 'api::every.every' },
      inner: { type: 'component', component: 'part.inner' },
      inners: { type: 'component', component: 'part.inner', repeatable: true },
    }),
    'part.inner': schema('part.inner', {
      label: { type: 'string', default: 'new' },
      code: { type: 'json' },
      innermost: { type: 'component', component: 'part.innermost', repeatable: true },
    }),
    'part.innermost': schema('part.innermost', { value: { type: 'integer' } }),
  },
}

/** The fixtures by their names. */
export const models: Readonly<Record<string, FormModel>> = {
  'every type': everyType,
  'the conformance project': modelIn('conformance/schemas'),
  'the demo': modelIn('apps/demo/content'),
}

/** Every content-type of every fixture. */
export const everyContentType: readonly (readonly [string, FormModel, string])[] = Object.entries(
  models,
).flatMap(([name, model]) =>
  Object.keys(model.contentTypes).map((uid) => [`${name}: ${uid}`, model, uid] as const),
)
