/** Uploads that are cut off, and a disk without room for them. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, utimes } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { ask, codeOf } from '../ask.ts'
import { OctavoProcess, octavo } from '../processes/octavo-process.ts'
import { SmallDisk } from '../processes/small-disk.ts'
import { makeSite } from '../site.ts'
import { check, type Fault, until } from './fault.ts'
import { withServer } from './served.ts'

const plugin = new URL('../../../../packages/plugin-upload/dist/index.js', import.meta.url).href

/** The text of a configuration with uploads. @param folder The folder of the files, as JavaScript. */
const withMedia = (folder: string): string =>
  `{ content: '.', access: 'open', plugins: [(({ upload, localDisk }) => upload({ provider: localDisk({ folder: ${folder} }) }))(await import('${plugin}'))] }`

const mediaOfSite = withMedia(`new URL('./media', import.meta.url).pathname`)

/** The names in the folder for incoming uploads. It is empty when no upload is running and none was cut off. */
async function arriving(media: string): Promise<readonly string[]> {
  const folder = join(media, '.incoming')
  return existsSync(folder) ? readdir(folder) : []
}

/** A PNG of random grey dots, which hardly compresses. */
function noise(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8 // bits of a dot
  const lines = Buffer.alloc((width + 1) * height)
  for (let at = 0; at < lines.length; at++) lines[at] = at % (width + 1) === 0 ? 0 : Math.random() * 256
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data])
  sum.writeUInt32BE(crc32(content))
  return Buffer.concat([length, content, sum])
}

/** @returns the status, and the code of a refusal */
async function send(url: string, name: string, content: Uint8Array): Promise<string> {
  const body = new FormData()
  body.append('files', new Blob([new Uint8Array(content)]), name)
  const response = await fetch(`${url}/api/upload`, { method: 'POST', body })
  if (response.status === 200) return '200'
  const { error } = (await response.json()) as {
    readonly error: { readonly details: { readonly code: string } }
  } // the envelope of errors
  return `${response.status} ${error.details.code}`
}

export const uploadFaults: readonly Fault[] = [
  {
    name: 'The disk of the embedded database is full (tmpfs)',
    holds:
      'writes are 503 `database/full`, the log names the folder, reads are answered; nothing acknowledged is lost',
    inShort: false,
    run: () =>
      SmallDisk.mounted('96m', undefined, async (disk) => {
        const site = await makeSite()
        const start = () =>
          OctavoProcess.start({ config: site.config, database: `file:${disk.folder}/database` })
        let server = await start()
        const write = (text: string) => ask(server.url, 'POST', '/api/pages', { data: { text } })
        try {
          await disk.fill(4 * 2 ** 20)
          let acknowledged = 0
          let refusal: string | undefined
          while (refusal === undefined && acknowledged < 5_000) {
            const answer = await write(randomBytes(6_000).toString('base64'))
            if (answer?.status === 200) acknowledged += 1
            else refusal = answer ? `${answer.status} ${codeOf(answer)}` : 'no answer'
          }
          check(acknowledged > 0, `Nothing was written before ${refusal}`)
          check(refusal === '503 database/full', `${acknowledged} were written, then ${refusal}`)
          check(server.output.includes(disk.folder), `The log does not name ${disk.folder}`)
          const total = async (): Promise<number | undefined> => {
            const answer = await ask(server.url, 'GET', '/api/pages?fields=id&pagination[pageSize]=1')
            const { meta } = (answer?.body ?? {}) as {
              readonly meta?: { readonly pagination: { readonly total: number } }
            } // the envelope
            return meta?.pagination.total
          }
          check((await total()) === acknowledged, `${await total()} of ${acknowledged} are read`)
          await server.kill()
          server = await start()
          await until(
            async () => (await total()) === acknowledged,
            `Not all of ${acknowledged} are there after a kill`,
          )
          await disk.empty()
          check((await write('with room'))?.status === 200, 'With room again a write failed')
          return `${acknowledged} were written, then ${refusal}; all were there after a kill`
        } finally {
          await server.kill()
          await site.remove()
        }
      }),
  },
  {
    name: 'The disk of uploads is full (tmpfs)',
    holds:
      'uploads are 503 `server/disk-full` and leave nothing, other requests are answered; all is well with room again',
    inShort: true,
    run: () =>
      SmallDisk.mounted('8m', undefined, (disk) =>
        withServer({ config: withMedia(JSON.stringify(disk.folder)) }, async ({ server: { url } }) => {
          const full = '503 server/disk-full'
          const expectNothing = async (): Promise<void> => {
            const left = await arriving(disk.folder)
            check(left.length === 0, `A refused upload left ${left}`)
          }
          // A picture has its room when it arrives, and needs more for its formats: some step finds none.
          const picture = noise(1_100, 1_000)
          const answers: string[] = []
          while (answers.at(-1) !== full && answers.length < 10) {
            answers.push(await send(url, 'noise.png', picture))
            check([full, '200'].includes(answers.at(-1) ?? ''), `A picture: ${answers.at(-1)}`)
            await expectNothing()
          }
          check(answers.at(-1) === full, `${answers.length} pictures were stored`)
          // The process for pictures may still close files that were removed, which frees their room.
          const sendText = (): Promise<string> => send(url, 'a.txt', Buffer.alloc(500_000, 'text '))
          await until(async () => {
            await disk.fill()
            const text = await sendText()
            check([full, '200'].includes(text), `A text: ${text}`)
            return text === full
          }, 'Texts are stored on the full disk')
          await expectNothing()
          check((await ask(url, 'GET', '/api/upload/files'))?.status === 200, 'Reads failed')
          await disk.empty()
          const again = await sendText()
          check(again === '200', `With room again: ${again}`)
          return `${answers.length - 1} pictures were stored, then ${full}`
        }),
      ),
  },
  {
    name: 'SIGKILL during an upload',
    holds: 'the next start, an hour later, removes what was left',
    inShort: false,
    run: () =>
      withServer({ config: mediaOfSite }, async ({ site, database, server }) => {
        const left = async (): Promise<number> => (await arriving(join(site.folder, 'media'))).length
        const { port, hostname } = new URL(server.url)
        const socket = connect(Number(port), hostname)
        socket.on('error', () => {})
        socket.write(
          'POST /api/upload HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 999999\r\n\r\n--b\r\nContent-Disposition: form-data; name="files"; filename="a.bin"\r\n\r\n',
        )
        socket.write('x'.repeat(100_000))
        await until(async () => (await left()) > 0, 'The upload writes no file')
        await server.kill()
        // As if it were long ago: what was written a moment ago may still arrive.
        const yesterday = new Date(Date.now() - 48 * 3_600_000)
        const folder = join(site.folder, 'media/.incoming')
        for (const name of await readdir(folder, { recursive: true }))
          await utimes(join(folder, name), yesterday, yesterday)
        const { code } = await octavo(['media', 'check', '--config', site.config, '--database', database])
        check(code === 0 && (await left()) === 0, `${await left()} files are left`)
        return 'removed'
      }),
  },
]
