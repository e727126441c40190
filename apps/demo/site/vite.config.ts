import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

/** Builds the site into `dist/site`, from where `serve.ts` serves it. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/library/',
  build: { outDir: '../dist/site', emptyOutDir: true, modulePreload: false },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  logLevel: 'warn',
})
