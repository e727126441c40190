import { coreHooks, type HookKind, type HookTable } from '@octavo/core'
import { expect, it } from 'vitest'
import { serverHooks } from './hooks.ts'

const kinds: Readonly<Record<HookKind, string>> = {
  decide: 'The first answer that is not `undefined` wins.',
  transform: 'Each handler gets what the one before returned, and returns the same type.',
  collect: 'All answers that are not `undefined` count, joined as the row says.',
  guard: 'Any handler may throw to refuse; none changes anything.',
  notify: 'Runs after the fact; a failure is logged and changes no answer.',
}

const printed = (title: string, table: HookTable): string =>
  `## ${title}\n\n${Object.entries(table)
    .map(
      ([name, { kind, purpose, when, before, after }]) =>
        `### \`${name}\`\n\n${purpose}\n\n- Kind: ${kind}\n- Runs ${when}.\n- Before: ${before}.\n- After: ${after}.\n`,
    )
    .join('\n')}`

/** The page is the printed tables; `pnpm vitest run packages/server/src/hooks.test.ts -u` writes it. */
it('docs/hooks.md is printed from the tables of hooks', async () => {
  const page = `# Hooks

A plugin speaks at these moments and nowhere else. The kind of a hook says how the answers of several plugins combine:

| kind | how answers combine |
|---|---|
${Object.entries(kinds)
  .map(([kind, text]) => `| ${kind} | ${text} |`)
  .join('\n')}

Handlers run in the order of plugins: what they declare in \`before\`, \`after\` and \`requires\`, then their place in the list. A
handler that throws is named in the log, with its plugin. The types are in \`coreHooks\` and \`serverHooks\`: a hook without a row, a
handler of another type and a call of another kind do not compile.

${printed('Hooks of core', coreHooks)}
${printed('Hooks of the server', serverHooks)}`
  await expect(page).toMatchFileSnapshot('../../../docs/hooks.md')
})
