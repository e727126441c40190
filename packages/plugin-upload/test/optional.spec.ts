import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createClient, createTestDatabase } from '@octavo/testing'
import { expect, it, vi } from 'vitest'
import { form, picture } from './site.ts'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url))

/** Earlier versions of Node.js do not ask hooks for `require.resolve`, by which the server looks for sharp: the test cannot hide it from them. */
const onNode24 = it.runIf(Number(process.versions.node.split('.')[0]) >= 24)

onNode24(
  'Without sharp and the AWS SDK the server starts, accepts all files except pictures, and names the packages to install',
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'octavo-bare-'))
    const database = await createTestDatabase()
    const server = spawn(process.execPath, [here('./bare-server.ts'), folder, database.url], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_OPTIONS: `--import=${here('./without-optional.ts')}` },
    })
    try {
      const lines: string[] = []
      for await (const line of createInterface(server.stdout)) {
        lines.push(line)
        if (line.startsWith('http')) break
      }
      expect(lines).toContainEqual(expect.stringContaining('npm install sharp'))
      expect(lines).toContainEqual(
        'ConfigurationError: s3() needs the AWS SDK: npm install @aws-sdk/client-s3 @aws-sdk/lib-storage @aws-sdk/s3-request-presigner',
      )
      const api = createClient(lines.at(-1) ?? '')
      const upload = (name: string, content: string | Uint8Array) =>
        api.post('/api/upload', { body: form([{ name, content }]) })
      expect((await upload('a.txt', 'text')).status).toBe(200)
      const svg = (attributes: string) =>
        `<svg xmlns="http://www.w3.org/2000/svg" width="5"${attributes}></svg>`
      const drawing = await upload('a.svg', svg(' onload="a()"'))
      expect([drawing.status, drawing.body[0].width]).toEqual([200, null])
      expect((await api.get(drawing.body[0].url)).body).toBe(svg(''))
      const refused = await upload('a.png', await picture(5, 5))
      expect([refused.status, refused.body.error.name, refused.body.error.message]).toEqual([
        501,
        'NotImplementedError',
        expect.stringContaining('npm install sharp'),
      ])
    } finally {
      server.kill()
      await once(server, 'exit')
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    }
  },
  240_000,
)
