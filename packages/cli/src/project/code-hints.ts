import type { Node } from 'oxc-parser'
import { dotted, lastName, walk } from '../code/syntax.ts'

/** Packages that need no hint when they are imported. */
const plain = /^(?:\.|node:|@strapi\/(?:strapi|utils)|lodash|path$|fs$|util$|crypto$)/

/**
 * A guess at the purpose of some code, from the names in it: `reads entries, sends emails, uses stripe`. It is a hint for
 * a reader who knows the code; empty when no name is known.
 */
export function codeHints(node: unknown): string {
  const hints = new Set<string>()
  const packages = new Set<string>()
  walk(node, (each) => hint(each, hints, packages))
  return [...hints, ...(packages.size > 0 ? [`uses ${[...packages].join(', ')}`] : [])].join(', ')
}

function hint(node: Node, hints: Set<string>, packages: Set<string>): void {
  if (node.type === 'ImportDeclaration') use(node.source.value, packages)
  if (node.type === 'MemberExpression') {
    const path = dotted(node) ?? ''
    if (/(?:^|\.)ctx\.state\.user$|(?:^|\.)policyContext\.state\.user$|^context\.state\.user$/.test(path))
      hints.add('looks at the caller')
    if (/(?:ctx|context)\.query$|(?:ctx|context)\.request\.query$/.test(path)) hints.add('reads the query')
  }
  if (node.type !== 'CallExpression') return
  const callee = dotted(node.callee) ?? ''
  const name = lastName(node.callee) ?? ''
  const [first] = node.arguments
  const literal = first?.type === 'Literal' && typeof first.value === 'string' ? first.value : undefined
  if (callee === 'require' && literal !== undefined) use(literal, packages)
  if (callee === 'fetch' || /^(?:axios|got)(?:\.|$)/.test(callee)) hints.add('calls other servers')
  if ((name === 'plugin' || name === 'service') && literal === 'email') hints.add('sends emails')
  if (callee === 'setTimeout' || callee === 'setInterval') hints.add('runs by the clock')
  if ((name === 'plugin' || name === 'service') && literal === 'graphql')
    hints.add('changes the GraphQL schema (docs/graphql.md)')
  if (name === 'subscribe') hints.add('subscribes to lifecycles')
  if (/^(?:find|findOne|findMany|findPage|findWithCount|count)$/.test(name) && isStore(node))
    hints.add('reads entries')
  if (/^(?:create|createMany|update|updateMany|delete|deleteMany)$/.test(name) && isStore(node))
    hints.add('writes entries')
}

/** Whether a call leads through `strapi.entityService`, `strapi.db`, `strapi.query` or a service. */
function isStore({ callee }: Extract<Node, { type: 'CallExpression' }>): boolean {
  let isFound = false
  walk(callee, (node) => {
    if (node.type === 'Identifier' && /^(?:entityService|db|query|service|services)$/.test(node.name))
      isFound = true
  })
  return isFound
}

function use(name: string, packages: Set<string>): void {
  if (!plain.test(name)) packages.add(name)
}
