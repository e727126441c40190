import type { Node } from 'oxc-parser'
import { givenEnvNames, importedEnvNames } from './env-names.ts'
import { conversions, type Environment } from './environment.ts'
import { isPlainObject } from './objects.ts'
import { binary } from './operators.ts'
import { excerpt, type SourceFile } from './source-file.ts'
import { runStatements, type Values } from './statements.ts'
import { type AnyFunction, dotted, isFunction, keyName, topLevel, unwrap } from './syntax.ts'
import { Unreadable } from './unreadable.ts'

/** A module of the configuration, as far as it can be evaluated without running it. */
export interface Evaluated {
  /** Its export; `undefined` without one. */
  readonly value: unknown
  /** Statements that may change the value in a way that only running them would show. */
  readonly unfollowed: readonly Unreadable[]
}

/**
 * Evaluates a configuration module: literals, objects, lists, variables of the same file, `env('NAME', default)`, `process.env.NAME`, operators
 * over these, assignments and `if`. Other parts of its value are {@link Unreadable}.
 */
export function evaluateModule(source: SourceFile, env: Environment): Evaluated {
  const evaluation = new Evaluation(source, env)
  runStatements(source.program.body, evaluation)
  return { value: evaluation.exported, unfollowed: evaluation.unfollowed }
}

class Evaluation implements Values {
  readonly unfollowed: Unreadable[] = []
  readonly #source: SourceFile
  readonly #env: Environment
  readonly #functions: Map<string, Node>
  readonly #variables = new Map<string, unknown>()
  /** Local names of the function `env`. */
  readonly #envNames: Set<string>
  #exported: unknown

  constructor(source: SourceFile, env: Environment) {
    this.#source = source
    this.#env = env
    this.#functions = functionsIn(topLevel(source.program))
    this.#envNames = new Set(importedEnvNames(source.program))
  }

  get exported(): unknown {
    return this.#exported
  }

  export(given: Node, name?: string): void {
    const node = unwrap(given)
    const value = this.value((node.type === 'Identifier' && this.#functions.get(node.name)) || node)
    if (name === undefined) this.#exported = value
    else if (this.#exported === undefined || isPlainObject(this.#exported))
      this.#exported = { ...this.#exported, [name]: value }
  }

  assign(name: string, value: unknown): void {
    this.#variables.set(name, value)
  }

  object(name: string): object | undefined {
    const value = this.#variables.get(name)
    return isPlainObject(value) || Array.isArray(value) ? value : undefined
  }

  leave(node: Node): void {
    this.unfollowed.push(this.#unreadable(node))
  }

  value(given: Node): unknown {
    const node = unwrap(given)
    if (isFunction(node)) return this.#result(node)
    switch (node.type) {
      case 'Literal':
        return 'regex' in node ? this.#unreadable(node) : node.value
      case 'TemplateLiteral':
        return this.#template(node)
      case 'ArrayExpression':
        return node.elements.flatMap((element) => {
          if (element === null) return [undefined]
          if (element.type !== 'SpreadElement') return [this.value(element)]
          const spread = this.value(element.argument)
          return Array.isArray(spread) ? spread : [this.#unreadable(element)]
        })
      case 'ObjectExpression':
        return this.#object(node)
      case 'Identifier':
        return this.#variable(node)
      case 'MemberExpression':
        return this.#member(node)
      case 'CallExpression':
        return this.#call(node)
      case 'UnaryExpression':
        return this.#unary(node)
      case 'BinaryExpression':
        return this.#binary(node)
      case 'LogicalExpression':
        return this.#logical(node)
      case 'ConditionalExpression': {
        const test = this.value(node.test)
        if (test instanceof Unreadable) return test
        return this.value(test ? node.consequent : node.alternate)
      }
      default:
        return this.#unreadable(node)
    }
  }

  #unreadable(node: Node): Unreadable {
    return new Unreadable(this.#source, node)
  }

  /** `({ env }) => ({ … })` and functions with statements. */
  #result(node: AnyFunction): unknown {
    for (const name of givenEnvNames(node)) this.#envNames.add(name)
    if (!node.body) return this.#unreadable(node)
    if (node.body.type !== 'BlockStatement') return this.value(node.body)
    const statements = node.body.body
    // A block has statements, as a program has.
    for (const [name, found] of functionsIn(topLevel({ body: statements } as SourceFile['program'])))
      this.#functions.set(name, found)
    const returned = runStatements(statements, this)
    return returned ? returned.value : this.#unreadable(node)
  }

  #object(node: Extract<Node, { type: 'ObjectExpression' }>): unknown {
    const object: Record<string, unknown> = {}
    for (const property of node.properties) {
      if (property.type === 'SpreadElement') {
        const spread = this.value(property.argument)
        if (spread instanceof Unreadable) object[`...${excerpt(this.#source, property.argument)}`] = spread
        else if (typeof spread === 'object') Object.assign(object, spread)
        continue
      }
      const name = keyName(property.key, property.computed)
      const isCode = property.kind !== 'init' || property.method || isFunction(unwrap(property.value))
      // Defined, since a key may be called __proto__.
      Object.defineProperty(object, name ?? `[${excerpt(this.#source, property.key)}]`, {
        value: isCode || name === undefined ? this.#unreadable(property) : this.value(property.value),
        enumerable: true,
        configurable: true,
        writable: true,
      })
    }
    return object
  }

  #template(node: Extract<Node, { type: 'TemplateLiteral' }>): unknown {
    let text = ''
    for (const [i, { value }] of node.quasis.entries()) {
      text += value.cooked ?? value.raw
      const expression = node.expressions[i]
      if (!expression) continue
      const part = this.value(expression)
      if (part instanceof Unreadable || typeof part === 'object') return this.#unreadable(node)
      text += String(part)
    }
    return text
  }

  #variable(node: Extract<Node, { type: 'Identifier' }>): unknown {
    if (this.#variables.has(node.name)) return this.#variables.get(node.name)
    return node.name === 'undefined' ? undefined : this.#unreadable(node)
  }

  #member(node: Extract<Node, { type: 'MemberExpression' }>): unknown {
    const variable = /^process\.env\.(.+)$/.exec(dotted(node) ?? '')?.[1]
    if (variable !== undefined) return this.#env[variable]
    const name = keyName(node.property, node.computed)
    const object = this.value(node.object)
    if (name === undefined || object instanceof Unreadable || typeof object !== 'object' || object === null)
      return this.#unreadable(node)
    return Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined
  }

  #call(node: Extract<Node, { type: 'CallExpression' }>): unknown {
    const callee = dotted(node.callee) ?? ''
    const values = node.arguments.map((argument) =>
      argument.type === 'SpreadElement' ? this.#unreadable(argument) : this.value(argument),
    )
    const [first, second, third] = values
    if (callee === 'Number' || callee === 'String' || callee === 'Boolean') {
      if (first instanceof Unreadable) return this.#unreadable(node)
      return { Number, String, Boolean }[callee](first)
    }
    if (callee === 'parseInt' || callee === 'Number.parseInt')
      return first instanceof Unreadable ? this.#unreadable(node) : Number.parseInt(String(first), 10)
    const name = [...this.#envNames].find((env) => callee === env || callee.startsWith(`${env}.`))
    const conversion = name === undefined ? undefined : callee.slice(name.length + 1)
    if (conversion === undefined || typeof first !== 'string') return this.#unreadable(node)
    const text = this.#env[first]
    if (conversion === 'oneOf') return Array.isArray(second) && second.includes(text) ? text : third
    const convert = Object.hasOwn(conversions, conversion) ? conversions[conversion] : undefined
    if (!convert) return this.#unreadable(node)
    if (text === undefined) return second
    try {
      return convert(text)
    } catch {
      return this.#unreadable(node)
    }
  }

  #unary(node: Extract<Node, { type: 'UnaryExpression' }>): unknown {
    const value = this.value(node.argument)
    if (value instanceof Unreadable) return this.#unreadable(node)
    if (node.operator === '!') return !value
    if (node.operator === '-') return -Number(value)
    return node.operator === '+' ? Number(value) : this.#unreadable(node)
  }

  #binary(node: Extract<Node, { type: 'BinaryExpression' }>): unknown {
    const [left, right] = [this.value(node.left), this.value(node.right)]
    if (left instanceof Unreadable || right instanceof Unreadable) return this.#unreadable(node)
    const result = binary(node.operator, left, right)
    return result === undefined ? this.#unreadable(node) : result
  }

  #logical(node: Extract<Node, { type: 'LogicalExpression' }>): unknown {
    const left = this.value(node.left)
    if (left instanceof Unreadable) return this.#unreadable(node)
    if (node.operator === '||') return left || this.value(node.right)
    if (node.operator === '&&') return left && this.value(node.right)
    return left ?? this.value(node.right)
  }
}

const functionsIn = (found: ReadonlyMap<string, Node>): Map<string, Node> =>
  new Map([...found].filter(([, node]) => isFunction(node)))
