import type { AssignmentExpression, Node, Statement } from 'oxc-parser'
import { isPlainObject } from './objects.ts'
import { dotted, isFunction, keyName, unwrap, walk } from './syntax.ts'
import { Unreadable } from './unreadable.ts'

/** The values that the statements of a module read and change. */
export interface Values {
  value(node: Node): unknown
  /** Gives a variable its value, the first or a new one. */
  assign(name: string, value: unknown): void
  /** The object or list in a variable; `undefined` for anything else. */
  object(name: string): object | undefined
  /** Takes what a module exports: `module.exports = …`, or by its name `exports.rest = …`. */
  export(node: Node, name?: string): void
  /** Remembers code that may change values, and whose effect only running it would show. */
  leave(node: Node): void
}

/**
 * Follows statements in their order: declarations, assignments to variables and to properties of objects, and `if` with a test that can be
 * evaluated.
 *
 * @returns the returned value, in an object; `undefined` when they return nothing.
 */
export function runStatements(
  statements: readonly Statement[],
  values: Values,
): { readonly value: unknown } | undefined {
  for (const statement of statements) {
    if (statement.type === 'ReturnStatement')
      return { value: statement.argument ? values.value(statement.argument) : undefined }
    const inner = statement.type === 'IfStatement' ? branchOf(statement, values) : blockOf(statement)
    if (inner) {
      const returned = runStatements(inner, values)
      if (returned) return returned
    } else runOne(statement, values)
  }
  return undefined
}

const blockOf = (statement: Statement): readonly Statement[] | undefined =>
  statement.type === 'BlockStatement' ? statement.body : undefined

/** The statements that the test chooses; `undefined` when it cannot be evaluated. */
function branchOf(
  { test, consequent, alternate }: Extract<Statement, { type: 'IfStatement' }>,
  values: Values,
): readonly Statement[] | undefined {
  const result = values.value(test)
  if (result instanceof Unreadable) return undefined
  if (result) return [consequent]
  return alternate ? [alternate] : []
}

function runOne(statement: Statement, values: Values): void {
  const declared =
    statement.type === 'ExportNamedDeclaration' ? (statement.declaration ?? statement) : statement
  if (declared.type === 'VariableDeclaration') {
    for (const { id, init } of declared.declarations)
      if (id.type === 'Identifier' && init && !isFunction(unwrap(init)))
        values.assign(id.name, values.value(init))
  } else if (statement.type === 'ExportDefaultDeclaration') values.export(statement.declaration)
  else if (statement.type === 'TSExportAssignment') values.export(statement.expression)
  else if (
    statement.type !== 'ExpressionStatement' ||
    statement.expression.type !== 'AssignmentExpression' ||
    !assign(statement.expression, values)
  )
    leaveIfItMatters(declared, values)
}

/** @returns whether it could be done. */
function assign({ operator, left, right }: AssignmentExpression, values: Values): boolean {
  if (operator !== '=') return false
  const target = dotted(left) ?? ''
  if (/^(?:(?:module\.)?exports\.default|module\.exports)$/.test(target)) values.export(right)
  else if (/^(?:module\.)?exports\.\w+$/.test(target)) values.export(right, target.replace(/^.*\./, ''))
  else if (left.type === 'Identifier') values.assign(left.name, values.value(right))
  else return left.type === 'MemberExpression' && assignProperty(left, right, values)
  return true
}

function assignProperty(
  { object, property, computed }: Extract<Node, { type: 'MemberExpression' }>,
  right: Node,
  values: Values,
): boolean {
  const [target, name] = [values.value(object), keyName(property, computed)]
  if (!isPlainObject(target) || name === undefined) return false
  // Defined, since a key may be called __proto__.
  Object.defineProperty(target, name, {
    value: values.value(right),
    enumerable: true,
    configurable: true,
    writable: true,
  })
  return true
}

/** Calls such as `require('dotenv').config()` change nothing that is exported: the code has to name an object, or what it leaves early with. */
function leaveIfItMatters(node: Node, values: Values): void {
  if (isFunction(node) || /^TS|^Import|^Export|Class/.test(node.type)) return
  let matters = false
  const names = new Set<Node>()
  walk(node, (each) => {
    // The `config` of `dotenv.config()` is no variable.
    if (each.type === 'MemberExpression' && !each.computed) names.add(each.property)
    if (names.has(each)) return
    if (each.type === 'Identifier' && (each.name === 'exports' || values.object(each.name))) matters = true
    if (each.type === 'ReturnStatement') matters = true
  })
  if (matters) values.leave(node)
}
