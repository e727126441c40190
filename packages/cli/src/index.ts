/** The public surface of @octavo/cli. */

export { defineConfig, type OctavoConfig } from './config.ts'
export { program, run } from './program.ts'
