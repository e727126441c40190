/** The check of a text against the `regex` of an attribute. Some expressions take centuries for a text of a few dozen characters. */
import { createContext, Script } from 'node:vm'
import { problem } from '../../error/problems.ts'
import { exponentOf } from './regex-steps.ts'

/** Milliseconds of the processor that one check may take. */
const limit = 100

/** Milliseconds of the processor that all checks of one turn of the event loop may take. */
const limitOfTurn = 1_000

/** Steps, in the worst case, of a check that runs without a limit: some dozen milliseconds. */
const fewSteps = 10_000_000

/** Milliseconds of the processor that the checks of this turn have taken. */
let spent = 0

/** The exponents of the expressions of definitions, by their text. */
const exponents = new Map<string, number>()

type Check = (expression: RegExp, text: string, timeout: number) => boolean

/** Made for the first check that may take long. */
let checkInTime: Check | undefined

/**
 * Node.js stops a script after a time, and an expression within it. It starts a thread to do so, which takes 0.18 ms, nearly as long as a whole
 * create: expressions whose form bounds their steps run without.
 */
function makeCheck(): Check {
  const globals = createContext({ expression: /(?:)/, text: '' })
  const script = new Script('expression.test(text)')
  return (expression, text, timeout) => {
    Object.assign(globals, { expression, text })
    try {
      return script.runInContext(globals, { timeout }) as boolean // of RegExp.prototype.test
    } finally {
      globals.text = ''
    }
  }
}

/**
 * Whether a text matches the `regex` of an attribute.
 *
 * @throws ValidationError `entry/slow-regex` when the check takes more than 100 ms, or all checks of this turn more than a second
 */
export function matches(text: string, regex: string | RegExp): boolean {
  // A new RegExp for each check: with the flag `g` or `y` it has a `lastIndex`.
  const expression = new RegExp(regex)
  const { source } = expression
  const exponent = exponents.get(source) ?? exponentOf(source)
  exponents.set(source, exponent)
  if (exponent <= 1) return expression.test(text)
  if (spent === 0) setImmediate(endTurn)
  const before = spent
  while (spent < limitOfTurn && spent - before < limit) {
    const start = processorTime()
    try {
      if (text.length ** exponent <= fewSteps) return expression.test(text)
      checkInTime ??= makeCheck()
      return checkInTime(expression, text, limit)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    } finally {
      spent += processorTime() - start
    }
  }
  throw problem('entry/slow-regex', { regex: String(expression) })
}

/** Milliseconds. Node.js stops a script by the clock, also when a busy machine let the process wait; then the check is made again. */
function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

function endTurn(): void {
  spent = 0
}
