import { silentLogger } from '@octavo/core'
import type { HookKind, HookRow } from '@octavo/core/plugin'
import { createServer } from '@octavo/server'
import { createTestDatabase } from '@octavo/testing'
import { expect, it } from 'vitest'

const kinds: Readonly<Record<HookKind, string>> = {
  decide: 'The first answer that is not `undefined` wins.',
  transform: 'Each handler gets what the one before returned, and returns the same type.',
  collect: 'All answers that are not `undefined` count, joined as the row says.',
  guard: 'Any handler may throw to refuse; none changes anything.',
  notify: 'Runs after the fact; a failure is logged and changes no answer.',
  register: 'Each handler adds things in the name of its plugin, and returns nothing.',
}

/** `entry-before-create` of `entry:beforeCreate`. */
const fileOf = (hook: string): string =>
  hook.replace(':', '-').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const printed = (title: string, rows: readonly (readonly [string, HookRow])[]): string =>
  `## ${title}\n\n${rows
    .map(
      ([name, { kind, purpose, when, before, after }]) =>
        `### \`${name}\`\n\n${purpose}\n\n- Kind: ${kind}\n- Runs ${when}.\n- Before: ${before}.\n- After: ${after}.\n- [Example](plugins/hooks/${fileOf(name)}.md)\n`,
    )
    .join('\n')}`

/** The page is the printed tables; `pnpm vitest run packages/server/test/plugin/hooks-page.spec.ts -u` writes it. */
it('docs/hooks.md is printed from the tables of hooks', async () => {
  const database = await createTestDatabase()
  const server = await createServer({ database: database.url, logger: silentLogger })
  const rows = [...server.octavo.hooks.table]
  await server.close()
  await database.drop()
  const ofServer = (name: string): boolean => name.startsWith('server:')
  const page = `# Hooks

This page lists all hooks: the moments at which functions of plugins run. The kind of a hook says how the answers of several plugins combine:

| kind | how answers combine |
|---|---|
${Object.entries(kinds)
  .map(([kind, text]) => `| ${kind} | ${text} |`)
  .join('\n')}

Handlers run in the order of plugins: what they declare in \`before\`, \`after\` and \`requires\`, then their place in the list. A
handler that throws is named in the log, with its plugin. The types are in \`coreHooks\` and \`serverHooks\`: a hook without a row, a
handler of another type and a call of another kind do not compile.

${printed(
  'Hooks of core',
  rows.filter(([name]) => !ofServer(name)),
)}
${printed(
  'Hooks of the server',
  rows.filter(([name]) => ofServer(name)),
)}`
  await expect(page).toMatchFileSnapshot('../../../../docs/hooks.md')
})
