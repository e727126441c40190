import type { Expression, Function as FunctionNode, Node, ObjectExpression, Program } from 'oxc-parser'

export type AnyFunction = FunctionNode | Extract<Expression, { type: 'ArrowFunctionExpression' }>

/** An expression without parentheses and TypeScript's `as`, `satisfies` and `!`. */
export function unwrap<T extends Node>(node: T): Node {
  let inner: Node = node
  while (
    inner.type === 'TSAsExpression' ||
    inner.type === 'TSSatisfiesExpression' ||
    inner.type === 'TSNonNullExpression' ||
    inner.type === 'TSTypeAssertion' ||
    inner.type === 'ParenthesizedExpression'
  )
    inner = inner.expression
  return inner
}

export const isFunction = (node: Node | undefined): node is AnyFunction =>
  node?.type === 'ArrowFunctionExpression' ||
  node?.type === 'FunctionExpression' ||
  node?.type === 'FunctionDeclaration'

/** The name of a key that is not computed: `a`, `'a'` or `1`. */
export function keyName(key: Node, computed: boolean): string | undefined {
  if (key.type === 'Literal') return String(key.value)
  return !computed && key.type === 'Identifier' ? key.name : undefined
}

/** The name at the end of `a.b.c` or `a['c']`, and of a plain `c`. */
export function lastName(node: Node): string | undefined {
  const inner = unwrap(node)
  if (inner.type === 'Identifier') return inner.name
  return inner.type === 'MemberExpression' ? keyName(inner.property, inner.computed) : undefined
}

/** The properties of an object by name; spreads and computed names are left out. */
export function propertiesOf(object: ObjectExpression): ReadonlyMap<string, Node> {
  const found = new Map<string, Node>()
  for (const property of object.properties) {
    if (property.type !== 'Property') continue
    const name = keyName(property.key, property.computed)
    if (name !== undefined) found.set(name, unwrap(property.value))
  }
  return found
}

/** The return value of a function: its expression, or the argument of the last `return` of its body. */
export function returned(node: AnyFunction): Node | undefined {
  if (!node.body) return undefined
  if (node.body.type !== 'BlockStatement') return unwrap(node.body)
  const last = node.body.body.findLast((statement) => statement.type === 'ReturnStatement')
  return last?.argument ? unwrap(last.argument) : undefined
}

/** Constants and functions of the top level by name. */
export function topLevel(program: Program): ReadonlyMap<string, Node> {
  const found = new Map<string, Node>()
  for (const statement of program.body) {
    const declaration =
      statement.type === 'ExportNamedDeclaration' ? (statement.declaration ?? statement) : statement
    if (declaration.type === 'FunctionDeclaration' && declaration.id)
      found.set(declaration.id.name, declaration)
    if (declaration.type !== 'VariableDeclaration' || declaration.kind !== 'const') continue
    for (const { id, init } of declaration.declarations)
      if (id.type === 'Identifier' && init) found.set(id.name, unwrap(init))
  }
  return found
}

/** The value of `module.exports =`, `exports.default =` or `export default`, with top-level names resolved. */
export function defaultExport(program: Program): Node | undefined {
  const names = topLevel(program)
  const follow = (node: Node): Node => {
    const inner = unwrap(node)
    return inner.type === 'Identifier' ? (names.get(inner.name) ?? inner) : inner
  }
  for (const statement of program.body.toReversed()) {
    if (statement.type === 'ExportDefaultDeclaration') return follow(statement.declaration)
    if (statement.type === 'TSExportAssignment') return follow(statement.expression)
    if (statement.type !== 'ExpressionStatement') continue
    const { expression } = statement
    if (expression.type !== 'AssignmentExpression') continue
    const target = dotted(expression.left)
    if (target === 'module.exports' || target === 'exports.default' || target === 'module.exports.default')
      return follow(expression.right)
  }
  return undefined
}

/** The named exports of a module, including properties of an exported object. */
export function exportedNames(program: Program): ReadonlyMap<string, Node> {
  const found = new Map<string, Node>()
  const names = topLevel(program)
  const exported = defaultExport(program)
  if (exported?.type === 'ObjectExpression')
    for (const [name, node] of propertiesOf(exported)) found.set(name, node)
  for (const statement of program.body) {
    if (statement.type === 'ExportNamedDeclaration') {
      const { declaration } = statement
      if (declaration?.type === 'FunctionDeclaration' && declaration.id)
        found.set(declaration.id.name, declaration)
      if (declaration?.type === 'VariableDeclaration')
        for (const { id, init } of declaration.declarations)
          if (id.type === 'Identifier' && init) found.set(id.name, unwrap(init))
      for (const { exported, local } of statement.specifiers) {
        const [name, from] = [lastName(exported), lastName(local)]
        if (name !== undefined && from !== undefined) found.set(name, names.get(from) ?? local)
      }
    } else if (
      statement.type === 'ExpressionStatement' &&
      statement.expression.type === 'AssignmentExpression'
    ) {
      const name = /^(?:module\.)?exports\.(\w+)$/.exec(dotted(statement.expression.left) ?? '')?.[1]
      if (name !== undefined && name !== 'default') found.set(name, unwrap(statement.expression.right))
    }
  }
  return found
}

/** `a.b.c` as text; `undefined` for anything else. */
export function dotted(node: Node): string | undefined {
  const inner = unwrap(node)
  if (inner.type === 'Identifier') return inner.name
  if (inner.type !== 'MemberExpression') return undefined
  const [object, name] = [dotted(inner.object), keyName(inner.property, inner.computed)]
  return object !== undefined && name !== undefined ? `${object}.${name}` : undefined
}

/** Calls `visit` with every node below and including this one. */
export function walk(node: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(node)) {
    for (const item of node) walk(item, visit)
    return
  }
  if (typeof node !== 'object' || node === null) return
  if ('type' in node && typeof node.type === 'string') visit(node as Node) // every node of the parser has a type
  for (const value of Object.values(node)) if (typeof value === 'object') walk(value, visit)
}
