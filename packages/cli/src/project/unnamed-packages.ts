import { readManifest } from './other-versions.ts'

/**
 * The packages that a module imports and the `package.json` of a folder does not name. npm makes dependencies of dependencies readable as
 * well, pnpm does not.
 */
export function unnamedPackages(text: string, folder: string): readonly string[] {
  const { dependencies, devDependencies } = readManifest(folder)
  const named = { ...Object(devDependencies), ...Object(dependencies) } as Readonly<Record<string, unknown>>
  const imported = [...text.matchAll(/ from '(@octavo\/[\w-]+)'/g)].flatMap(([, name]) => name ?? [])
  return imported.filter((name) => !(name in named))
}
