import type { Logger } from '@octavo/core'
import { type AnswerError, fieldError } from '../errors.ts'
import { problem } from '../problems.ts'
import { type Call, ownCall } from './call.ts'
import { jsonObject } from './json-text.ts'
import { makingOf, type OperationAnswer } from './operation.ts'
import type { PreparedField, PreparedOperation } from './prepared-reads.ts'
import { runRead } from './read-field.ts'

/** Runs an operation of reads, side by side. */
export async function runReads(
  { fields, ids }: PreparedOperation,
  call: Call,
  logger: Logger,
): Promise<OperationAnswer> {
  const errors: AnswerError[] = []
  const isAlone = fields.length === 1
  const run = async (prepared: PreparedField): Promise<readonly [string, unknown]> => {
    const { key } = prepared
    try {
      return [key, (await runField(prepared, ids, isAlone ? call : ownCall(call), errors)) ?? null]
    } catch (error) {
      errors.push(fieldError(call.signal?.isLate ? problem('graphql/timeout') : error, key, logger))
      return [key, null]
    }
  }
  const [first] = fields
  const values = first && isAlone ? [await run(first)] : await Promise.all(fields.map(run))
  return { data: jsonObject(values), errors }
}

async function runField(
  { key, field, read, idVariable }: PreparedField,
  ids: PreparedOperation['ids'],
  call: Call,
  errors: AnswerError[],
): Promise<unknown> {
  if (!field) return 'Query'
  await call.authorize(field.action, field.type, call.state)
  if (read instanceof Error) throw read
  const values = idVariable === undefined ? read.values : { ...read.values, id: ownOf(ids, idVariable) }
  return await runRead(field, read, values, call, makingOf(key, errors, call.count))
}

/** A variable without a value may have the name of a method: `$toString`. */
const ownOf = (values: PreparedOperation['ids'], name: string): unknown =>
  Object.hasOwn(values, name) ? values[name] : undefined
