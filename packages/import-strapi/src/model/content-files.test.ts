import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { loadContentTypes } from '@octavo/core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Schema } from '../records.ts'
import { contentFiles } from './content-files.ts'
import { toDefinitions } from './definitions.ts'

const names = ['menu', 'menu-item', 'item', 'menu-menu']
const uid = fc
  .tuple(fc.constantFrom('api', 'plugin'), fc.constantFrom(...names), fc.constantFrom(...names))
  .map(([namespace, folder, name]) => `${namespace}::${folder}.${name}`)

const schemaOf = (uid: string): Schema => ({
  uid,
  modelType: 'contentType',
  collectionName: uid.replaceAll(/\W/g, '_'),
  info: { singularName: uid.split('.')[1], pluralName: `${uid.replaceAll(/\W/g, '-')}s` },
  attributes: { title: { type: 'string' } },
})

it('The files of definitions are read as these definitions, whatever their names are', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'octavo-files-'))
  try {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(uid, { minLength: 1 }), async (uids) => {
        const root = await mkdtemp(path.join(folder, 'run-'))
        const files = contentFiles(toDefinitions(uids.map(schemaOf)))
        for (const file of files) {
          await mkdir(path.dirname(path.join(root, file.path)), { recursive: true })
          await writeFile(path.join(root, file.path), file.text)
        }
        const { contentTypes } = loadContentTypes(root)
        expect(contentTypes.map(({ uid, collectionName }) => [uid, collectionName]).sort()).toEqual(
          uids.map((one) => [one, schemaOf(one).collectionName]).sort(),
        )
      }),
    )
  } finally {
    await rm(folder, { recursive: true })
  }
})
