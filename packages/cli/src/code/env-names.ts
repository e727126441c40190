import type { Node, Program } from 'oxc-parser'
import { type AnyFunction, dotted, keyName, unwrap } from './syntax.ts'

/** The package that has the function `env` as well. */
const utils = '@strapi/utils'

/** Local names of the function `env` of `@strapi/utils`: `env`, or `utils.env` of the whole package. */
export function importedEnvNames(program: Program): readonly string[] {
  return program.body.flatMap((statement): readonly string[] => {
    if (statement.type === 'ImportDeclaration' && statement.source.value === utils)
      return statement.specifiers.flatMap((specifier) => {
        if (specifier.type !== 'ImportSpecifier') return [`${specifier.local.name}.env`]
        return keyName(specifier.imported, false) === 'env' ? [specifier.local.name] : []
      })
    if (statement.type !== 'VariableDeclaration') return []
    return statement.declarations.flatMap(({ id, init }) => (init && isUtils(init) ? envNamesIn(id) : []))
  })
}

/** The name of the function `env` that a configuration gets: `({ env }) => …`, or `context.env` of `(context) => …`. */
export function givenEnvNames({ params: [parameter] }: AnyFunction): readonly string[] {
  return parameter ? envNamesIn(parameter) : []
}

function envNamesIn(pattern: Node): readonly string[] {
  if (pattern.type === 'Identifier') return [`${pattern.name}.env`]
  if (pattern.type !== 'ObjectPattern') return []
  return pattern.properties.flatMap((property) =>
    property.type === 'Property' &&
    keyName(property.key, property.computed) === 'env' &&
    property.value.type === 'Identifier'
      ? [property.value.name]
      : [],
  )
}

/** Whether an expression is `require('@strapi/utils')`. */
function isUtils(expression: Node): boolean {
  const node = unwrap(expression)
  if (node.type !== 'CallExpression' || dotted(node.callee) !== 'require') return false
  const [first] = node.arguments
  return first?.type === 'Literal' && first.value === utils
}
