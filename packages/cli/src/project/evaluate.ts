import type { Node } from 'oxc-parser'
import { conversions, type Environment } from './environment.ts'
import { excerpt, lineOf, type SourceFile } from './source-file.ts'
import {
  type AnyFunction,
  defaultExport,
  dotted,
  isFunction,
  keyName,
  returned,
  topLevel,
  unwrap,
} from './syntax.ts'

/** Placeholder for a value that cannot be evaluated without running the code, so that its neighbours are still read. */
export class Unreadable {
  readonly line: number
  /** The code, shortened. */
  readonly code: string

  constructor(source: SourceFile, node: Node) {
    this.line = lineOf(source, node)
    this.code = excerpt(source, node)
  }
}

/**
 * The value that a configuration module exports, as far as it can be evaluated statically: literals, objects, lists, constants of the same
 * file, `env('NAME', default)`, `process.env.NAME`, and operators over these. Other parts are {@link Unreadable}.
 */
export function evaluateModule(source: SourceFile, env: Environment): unknown {
  const exported = defaultExport(source.program)
  if (!exported) return undefined
  return new Evaluation(source, env).value(exported)
}

class Evaluation {
  readonly #source: SourceFile
  readonly #env: Environment
  readonly #constants: Map<string, Node>
  /** Constants that are being evaluated: a circular constant has no value. */
  readonly #open = new Set<string>()
  /** Local names of the function `env`. */
  readonly #envNames = new Set<string>()

  constructor(source: SourceFile, env: Environment) {
    this.#source = source
    this.#env = env
    this.#constants = new Map(topLevel(source.program))
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
        return this.#constant(node)
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

  /** `({ env }) => ({ … })`, and `(context) => …` with `context.env`. */
  #result(node: AnyFunction): unknown {
    const [parameter] = node.params
    if (parameter?.type === 'ObjectPattern') {
      for (const property of parameter.properties)
        if (property.type === 'Property' && keyName(property.key, property.computed) === 'env')
          if (property.value.type === 'Identifier') this.#envNames.add(property.value.name)
    } else if (parameter?.type === 'Identifier') this.#envNames.add(`${parameter.name}.env`)
    if (node.body?.type === 'BlockStatement')
      for (const [name, constant] of topLevel({ body: node.body.body } as SourceFile['program'])) // a block has statements, as a program has
        this.#constants.set(name, constant)
    const result = returned(node)
    return result ? this.value(result) : this.#unreadable(node)
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

  #constant(node: Extract<Node, { type: 'Identifier' }>): unknown {
    if (node.name === 'undefined') return undefined
    const constant = this.#constants.get(node.name)
    if (!constant || isFunction(constant) || this.#open.has(node.name)) return this.#unreadable(node)
    this.#open.add(node.name)
    try {
      return this.value(constant)
    } finally {
      this.#open.delete(node.name)
    }
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
    if (node.operator === '===' || node.operator === '==') return left === right
    if (node.operator === '!==' || node.operator === '!=') return left !== right
    if (node.operator === '+' && (typeof left === 'string' || typeof right === 'string'))
      return `${left}${right}`
    if (typeof left !== 'number' || typeof right !== 'number') return this.#unreadable(node)
    switch (node.operator) {
      case '+':
        return left + right
      case '-':
        return left - right
      case '*':
        return left * right
      case '/':
        return left / right
      case '**':
        return left ** right
      default:
        return this.#unreadable(node)
    }
  }

  #logical(node: Extract<Node, { type: 'LogicalExpression' }>): unknown {
    const left = this.value(node.left)
    if (left instanceof Unreadable) return this.#unreadable(node)
    if (node.operator === '||') return left || this.value(node.right)
    if (node.operator === '&&') return left && this.value(node.right)
    return left ?? this.value(node.right)
  }
}
