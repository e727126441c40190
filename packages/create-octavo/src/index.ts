/** The public surface of create-octavo. */

export { type Choices, type Database, type PluginName, pluginNames } from './choices.ts'
export { createProject } from './create-project.ts'
export type { PackageManager, PackageManagerName } from './package-manager.ts'
export { run } from './program.ts'
export { UsageError } from './usage-error.ts'
