/** A folder of content-types that everybody may read and write. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface Site {
  readonly folder: string
  /** Path of the configuration. */
  readonly config: string
  /** Writes or replaces a file of the folder. */
  write(file: string, content: object | string): Promise<void>
  remove(): Promise<void>
}

const files = {
  'content-types/box.json': {
    kind: 'collectionType',
    info: { singularName: 'box', pluralName: 'boxes' },
    attributes: {
      name: { type: 'string' },
      items: { type: 'relation', relation: 'oneToMany', target: 'api::item.item', mappedBy: 'box' },
    },
  },
  'content-types/item.json': {
    kind: 'collectionType',
    info: { singularName: 'item', pluralName: 'items' },
    attributes: {
      key: { type: 'string', required: true },
      n: { type: 'integer' },
      parts: { type: 'component', component: 'list.part', repeatable: true },
      box: { type: 'relation', relation: 'manyToOne', target: 'api::box.box', inversedBy: 'items' },
    },
  },
  'content-types/log.json': {
    kind: 'collectionType',
    info: { singularName: 'log', pluralName: 'logs' },
    attributes: {
      lines: { type: 'relation', relation: 'manyToMany', target: 'api::line.line' },
    },
  },
  'content-types/line.json': {
    kind: 'collectionType',
    info: { singularName: 'line', pluralName: 'lines' },
    attributes: { text: { type: 'string' } },
  },
  'content-types/page.json': {
    kind: 'collectionType',
    info: { singularName: 'page', pluralName: 'pages' },
    attributes: { text: { type: 'text' } },
  },
  'content-types/wide.json': {
    kind: 'collectionType',
    info: { singularName: 'wide', pluralName: 'wides' },
    attributes: Object.fromEntries([...'abcdefghijklmnop'].map((name) => [name, { type: 'integer' }])),
  },
  'components/list/part.json': { attributes: { value: { type: 'integer' } } },
}

/** @param config The text of the configuration. Default: the content-types, and no plugins. */
export async function makeSite(config = `{ content: '.', plugins: [], access: 'open' }`): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-site-'))
  const write = async (file: string, content: object | string): Promise<void> => {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), typeof content === 'string' ? content : JSON.stringify(content))
  }
  for (const [file, content] of Object.entries(files)) await write(file, content)
  await write('octavo.config.mjs', `export default ${config}\n`)
  return {
    folder,
    config: join(folder, 'octavo.config.mjs'),
    write,
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}
