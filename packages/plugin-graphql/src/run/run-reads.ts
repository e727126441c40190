import type { Logger } from '@octavo/core'
import { type AnswerError, fieldError } from '../errors.ts'
import { problem } from '../problems.ts'
import { type Call, ownState } from './call.ts'
import { jsonOf } from './json-text.ts'
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
  const running = fields.map((field) => runField(field, ids, call, errors, logger))
  const members: string[] = []
  // These promises never reject.
  for (const member of running) members.push(await member)
  return { data: `{${members.join(',')}}`, errors }
}

/** @returns the member of the answer: `"article":{…}` */
async function runField(
  { key, name, field, read, slot }: PreparedField,
  ids: PreparedOperation['ids'],
  call: Call,
  errors: AnswerError[],
  logger: Logger,
): Promise<string> {
  if (!field) return `${name}"Query"`
  try {
    const state = ownState(call.state)
    await call.authorize(field.action, field.type, state)
    if (read instanceof Error) throw read
    const id = slot === undefined ? read.values.id : ids[slot]
    const making = makingOf(key, errors, call.count)
    return name + jsonOf((await runRead(field, read, id, state, call, making)) ?? null)
  } catch (error) {
    errors.push(fieldError(call.signal?.isLate ? problem('graphql/timeout') : error, key, logger))
    return `${name}null`
  }
}
