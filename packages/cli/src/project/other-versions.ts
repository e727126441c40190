import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { isPlainObject } from '../code/objects.ts'
import { filesBelow, foldersIn } from './folder.ts'

/** The `package.json` of a folder; empty without one, or with one that cannot be read. */
export function readManifest(root: string): Readonly<Record<string, unknown>> {
  const file = path.join(root, 'package.json')
  if (!existsSync(file)) return {}
  try {
    const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isPlainObject(manifest) ? manifest : {}
  } catch {
    return {}
  }
}

/** The major version of Strapi that a folder is a project of; `undefined` when it does not say. */
export function strapiVersion(root: string): { readonly major: number; readonly from: string } | undefined {
  const { dependencies, devDependencies } = readManifest(root)
  const all = { ...Object(devDependencies), ...Object(dependencies) } as Readonly<Record<string, unknown>>
  for (const name of ['@strapi/strapi', 'strapi']) {
    const given = all[name]
    const major = typeof given === 'string' ? /\d+/.exec(given)?.[0] : undefined
    if (major !== undefined) return { major: Number(major), from: `package.json: ${name} ${String(given)}` }
  }
  // Strapi 3 had `api/article/models/article.settings.json`.
  const settings = foldersIn(root, 'api')
    .flatMap((api) => filesBelow(root, `${api}/models`))
    .find((file) => file.endsWith('.settings.json'))
  return settings === undefined ? undefined : { major: 3, from: settings }
}

/** A sentence about a project of Strapi 3; `undefined` for any other folder. */
export function strapi3(root: string): string | undefined {
  const found = strapiVersion(root)
  if (found?.major !== 3) return undefined
  return `${root} is a project of Strapi 3 (${found.from}), whose definitions and database have another form. Octavo takes projects of Strapi 4: update it to 4.26 first, with Strapi's own guide for the step from 3 to 4, and then check it again`
}
