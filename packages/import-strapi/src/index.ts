/** The public surface of @octavo/import-strapi. */

export {
  type ImportStep,
  type ImportStrapiOptions,
  type ImportStrapiResult,
  InvalidEntriesError,
  importStrapi,
  planImport,
  verifyImport,
} from './import-strapi.ts'
export { type CopiedFiles, copyFiles } from './load/files.ts'
export { type AddedAttributes, addedAttributes } from './model/added-attributes.ts'
export {
  type ConfigurationOptions,
  type ProjectConfiguration,
  toConfiguration,
} from './model/configuration.ts'
export {
  contentFiles,
  fileSchemaPath,
  refuseOverwriting,
  userSchemaPath,
  type WrittenFile,
} from './model/content-files.ts'
export {
  type LeftOutPart,
  type ProjectDefinitions,
  toDefinitions,
} from './model/definitions.ts'
export type { Problem, ProblemKind } from './plan/problem.ts'
export { type Plan, type PlannedType, planText, table } from './plan/report.ts'
export type { ApiTokenRecord, EntityRecord, LinkRecord, Schema, StoreItem } from './records.ts'
export { openSource, type SourceOptions } from './source/open-source.ts'
export type { Outline, Source, SourceFile } from './source/source.ts'
export { SourceError } from './source/source-error.ts'
export type { SideFigures } from './verify/tally.ts'
export type { Comparison } from './verify/verify.ts'
export { type ExportStrapiOptions, type ExportStrapiResult, exportStrapi } from './write/export-strapi.ts'
