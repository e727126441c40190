/** The public surface of @octavo/import-strapi. */

export {
  type ImportStep,
  type ImportStrapiOptions,
  type ImportStrapiResult,
  importStrapi,
} from './import-strapi.ts'
export { contentFiles } from './model/content-files.ts'
export { type LeftOutPart, type ProjectDefinitions, toDefinitions } from './model/definitions.ts'
export { openSource, type SourceOptions } from './source/open-source.ts'
export type { Outline, Source } from './source/source.ts'
export { SourceError } from './source/source-error.ts'
