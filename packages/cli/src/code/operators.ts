import type { BinaryExpression } from 'oxc-parser'

/** The result of `left operator right`; `undefined` for operators and operands that no configuration needs. */
export function binary(operator: BinaryExpression['operator'], left: unknown, right: unknown): unknown {
  if (operator === '===' || operator === '==') return left === right
  if (operator === '!==' || operator === '!=') return left !== right
  if (operator === '+' && (typeof left === 'string' || typeof right === 'string')) return `${left}${right}`
  if (typeof left !== 'number' || typeof right !== 'number') return undefined
  switch (operator) {
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
    case '<':
      return left < right
    case '>':
      return left > right
    default:
      return undefined
  }
}
