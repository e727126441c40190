/** The audits of GraphQL over HTTP, those of the package graphql-http. */
import type { GraphqlOptions } from '@octavo/plugin-graphql'
import { serverAudits } from 'graphql-http'
import { afterEach, expect, it } from 'vitest'
import { type RecordedServer, recordedServer } from './recorded.ts'

let running: RecordedServer | undefined
afterEach(() => running?.close())

/** The audits that do not pass, by name. */
async function failedAudits(options: GraphqlOptions): Promise<readonly string[]> {
  running = await recordedServer(options)
  const audits = serverAudits({ url: `${running.url}/graphql` })
  expect(audits.length).toBeGreaterThan(50)
  const failed: string[] = []
  for (const audit of audits) {
    const { status } = await audit.fn()
    if (status !== 'ok') failed.push(audit.name)
  }
  return failed
}

it('All audits pass with followSpecification', async () => {
  expect(await failedAudits({ followSpecification: true })).toEqual([])
})

it('Without it the status of refused operations is that of the reference', async () => {
  expect(await failedAudits({})).toEqual([
    'SHOULD use 200 status code on document parsing failure when accepting application/json',
    'SHOULD use 200 status code on document validation failure when accepting application/json',
    'SHOULD use a status code of 200 on variable coercion failure when accepting application/json',
  ])
})
