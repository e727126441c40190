import { pino } from 'pino'
import { expect, it } from 'vitest'
import { LinesOfTurn } from './lines-of-turn.ts'

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A logger whose writes are noted as the messages in each. */
function noted() {
  const writes: string[][] = []
  const stream = new LinesOfTurn({
    write: (lines) => {
      const messages = lines
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { msg: string })
      writes.push(messages.map(({ msg }) => msg))
    },
  })
  return { writes, logger: pino({ base: null }, stream) }
}

it('lines of one turn are written together at its end', async () => {
  const { writes, logger } = noted()
  logger.info('one')
  logger.info('two')
  expect(writes).toEqual([])
  await nextTurn()
  expect(writes).toEqual([['one', 'two']])
  logger.info('three')
  await nextTurn()
  expect(writes).toEqual([['one', 'two'], ['three']])
})

it('a warning is written at once, behind the lines before it', () => {
  const { writes, logger } = noted()
  logger.info('one')
  logger.warn('two')
  expect(writes).toEqual([['one', 'two']])
})

it('no more than a pipe takes as a whole is written together', async () => {
  const { writes, logger } = noted()
  const long = 'x'.repeat(1_500)
  for (let i = 0; i < 5; i++) logger.info(long)
  await nextTurn()
  expect(writes.map(({ length }) => length)).toEqual([2, 2, 1])
})
