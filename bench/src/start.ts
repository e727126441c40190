/** How long it takes from the start of a process to its first answer, with 50 content-types whose tables are there. */
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

/** Milliseconds, one for each of `count` starts. Makes the tables first. */
export async function firstAnswers(url: string, count: number): Promise<readonly number[]> {
  const withoutPlugin = ['users-permissions']
  await (await createOctavo({ contentTypes: startTypes, database: url, withoutPlugin })).close()
  const times: number[] = []
  for (let i = 0; i < count; i++) {
    const begin = performance.now()
    const child = await Child.start('./start-server.ts', url)
    const { status } = await fetch(`${child.url}/api/things-7`)
    times.push(performance.now() - begin)
    await child.stop()
    if (status !== 200) throw new Error(`The first answer was ${status}`)
  }
  return times
}
