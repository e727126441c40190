/** How long it takes from the start of a process to its first answer, with 50 content-types whose tables are there. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOctavo, defineContentType } from '@octavo/core'
import { Child } from './child.ts'

export const startTypes = Array.from({ length: 50 }, (_, i) =>
  defineContentType({
    kind: 'collectionType',
    info: { singularName: `thing-${i}`, pluralName: `things-${i}` },
    attributes: {
      title: { type: 'string', required: true },
      slug: { type: 'uid', targetField: 'title' },
      body: { type: 'richtext' },
      count: { type: 'integer' },
      on: { type: 'datetime' },
      next: {
        type: 'relation',
        relation: 'manyToOne',
        target: `api::thing-${(i + 1) % 50}.thing-${(i + 1) % 50}`,
      },
    },
  }),
)

/** Milliseconds, one for each of `count` starts. Makes the tables and the compiled code first. */
export async function firstAnswers(url: string, count: number): Promise<readonly number[]> {
  const withoutPlugin = ['users-permissions']
  await (await createOctavo({ contentTypes: startTypes, database: url, withoutPlugin })).close()
  const compiled = await mkdtemp(join(tmpdir(), 'octavo-compiled-'))
  try {
    await firstAnswer(url, compiled)
    const times: number[] = []
    for (let i = 0; i < count; i++) times.push(await firstAnswer(url, compiled))
    return times
  } finally {
    await rm(compiled, { recursive: true, force: true })
  }
}

async function firstAnswer(url: string, compiled: string): Promise<number> {
  const begin = performance.now()
  const child = await Child.start('./start-server.ts', url, compiled)
  const { status } = await fetch(`${child.url}/api/things-7`)
  const time = performance.now() - begin
  await child.stop('SIGTERM')
  if (status !== 200) throw new Error(`The first answer was ${status}`)
  return time
}
