/**
 * For commands that tests start (`packages/cli/test/launch.ts`): their embedded databases begin as those of the tests themselves do, with
 * `prepared-pglite.ts`. initdb costs each new database four seconds of processor time.
 */
import module from 'node:module'
import { setFlagsFromString } from 'node:v8'

const prepared = new URL('./prepared-pglite.ts', import.meta.url).href

// The compiler that makes quick code of WebAssembly takes most of the processor time of a process that lives for seconds.
setFlagsFromString('--liftoff-only')

// Only where Node.js strips the types without a warning: a few tests start older versions.
if (module.registerHooks && Number(process.versions.node.split('.')[0]) >= 24)
  module.registerHooks({
    resolve: (specifier, context, next) =>
      specifier === '@electric-sql/pglite'
        ? { url: prepared, format: 'module-typescript', shortCircuit: true }
        : next(specifier, context),
  })
