import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Notes } from './config-file.ts'
import type { Finding, UsedSetting } from './finding.ts'
import { readPlugins } from './read-plugins.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'octavo-plugins-'))
  mkdirSync(path.join(root, 'config'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** The settings of a `config/plugins.js`, and what is reported. */
function read(text: string) {
  writeFileSync(path.join(root, 'config/plugins.js'), text)
  const notes = { used: [] as UsedSetting[], findings: [] as Finding[] } satisfies Notes
  const settings = readPlugins(root, {}, notes, { publicUrl: undefined, fileSize: undefined })
  return { settings, ...notes }
}

it('The options of GraphQL have the names of the reference', () => {
  const { settings, findings } = read(
    `module.exports = { graphql: { config: { endpoint: '/gql', shadowCRUD: true, depthLimit: 7, defaultLimit: 5, amountLimit: 50, playgroundAlways: true, apolloServer: { introspection: true } } } }`,
  )
  expect(settings.graphql).toEqual({
    endpoint: '/gql',
    depthLimit: 7,
    defaultLimit: 5,
    amountLimit: 50,
    playgroundAlways: true,
    introspection: true,
  })
  expect(findings).toEqual([])
})

it('Other options of GraphQL are reported, and the plugin may be off', () => {
  const { findings } = read(`module.exports = { graphql: { config: { apolloServer: { tracing: true } } } }`)
  expect(JSON.stringify(findings)).toContain('tracing')
  expect(read('module.exports = { graphql: { enabled: false } }').settings.graphql).toBe(false)
})
