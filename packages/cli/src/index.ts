/** The public surface of @octavo/cli. */

import '@octavo/core/engine'

export { defineConfig, type ListedConfig, type OctavoConfig } from './config.ts'
export { program, run } from './program/program.ts'
export { type ServerOptionsInput, serverOptions } from './server-options.ts'
