/** A small server with the protocol of S3, as far as the provider uses it, that is slow or lies. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** The treatment of a request: `fine`, or a way to fail. */
export type Conduct =
  | 'fine'
  /** 503 `SlowDown`, and nothing is stored. */
  | 'slow-down'
  /** 500 `InternalError`, and nothing is stored. */
  | 'failing'
  /** The connection is cut after the body has arrived, and nothing is stored. */
  | 'cut'
  /** The file is stored, and the connection is cut in place of an answer. */
  | 'stored-and-cut'
  /** 200 with an error as its body, and nothing is stored. */
  | 'error-with-200'
  /** 200, and only the first half is stored. */
  | 'half'
  /** The whole file is stored, and the answer has the ETag of another one. */
  | 'other-etag'
  /** No answer ever. */
  | 'silent'
  /** An answer after a fifth of a second. */
  | 'slow'
  /** 403 `AccessDenied`. */
  | 'denied'
  /** 301 `PermanentRedirect`. */
  | 'redirect'
  /** 400 `RequestTimeout`. */
  | 'request-timeout'
  /** 404 without a body. */
  | 'bare-404'
  /** A file is sent to its half, and the connection is cut. */
  | 'cut-halfway'
  /** A file is sent to its half, and nothing follows. */
  | 'silent-halfway'

const error = (code: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${code}</Message></Error>`

export class FakeBucket {
  readonly stored = new Map<string, Buffer>()
  /** The method and path of each request. */
  readonly requests: string[] = []
  /** How the next `PUT` requests are treated, in order; later ones are fine. */
  #puts: Conduct[] = []
  /** How all other requests are treated. */
  others: Conduct = 'fine'
  /** The parts of uploads that are neither complete nor aborted. */
  readonly unfinished = new Map<string, Map<number, Buffer>>()
  #uploads = 0
  /** The time of the bucket. */
  clock: () => Date = () => new Date()
  /** The answers that are not complete, on connections that are open. */
  readonly waiting = new Set<ServerResponse>()
  readonly #server = createServer((request, response) => void this.#answer(request, response))

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}` // it listens on a port
  }

  /** @param conduct Of the next `PUT` requests, in order. */
  next(...conduct: readonly Conduct[]): void {
    this.#puts = [...conduct]
    this.requests.length = 0
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request
    const { pathname, searchParams } = new URL(url, 'http://bucket')
    this.requests.push(`${method} ${pathname}`)
    this.waiting.add(response)
    response.once('close', () => this.waiting.delete(response))
    response.setHeader('date', this.clock().toUTCString())
    const body = withoutChunks(request, Buffer.concat(await request.toArray().catch(() => [])))
    const conduct = method === 'PUT' ? (this.#puts.shift() ?? 'fine') : this.others
    const store = (content: Buffer): void => void (method === 'PUT' && this.stored.set(pathname, content))
    switch (conduct) {
      case 'silent':
        return
      case 'cut':
        return void request.destroy()
      case 'stored-and-cut':
        store(body)
        return void request.destroy()
      case 'slow-down':
        return void response.writeHead(503).end(error('SlowDown'))
      case 'failing':
        return void response.writeHead(500).end(error('InternalError'))
      case 'denied':
        return void response.writeHead(403).end(method === 'HEAD' ? undefined : error('AccessDenied'))
      case 'redirect':
        return void response
          .writeHead(301, { 'x-amz-bucket-region': 'eu-central-1' })
          .end(method === 'HEAD' ? undefined : error('PermanentRedirect'))
      case 'request-timeout':
        return void response.writeHead(400).end(method === 'HEAD' ? undefined : error('RequestTimeout'))
      case 'bare-404':
        return void response.writeHead(404).end()
      case 'error-with-200':
        return void response.writeHead(200).end(error('InternalError'))
      case 'half':
        store(body.subarray(0, body.length / 2))
        return void response.writeHead(200, { etag: etagOf(body) }).end()
      case 'other-etag':
        store(body)
        return void response.writeHead(200, { etag: etagOf(Buffer.from('another file')) }).end()
      case 'slow':
        await sleep(200)
        break
      case 'cut-halfway':
      case 'silent-halfway': {
        const file = method === 'GET' ? this.stored.get(pathname) : undefined
        if (!file) break
        response.writeHead(200, { 'content-length': file.length })
        const sent = () => void (conduct === 'cut-halfway' && request.destroy())
        return void response.write(file.subarray(0, file.length / 2), sent)
      }
    }
    if (searchParams.has('uploads') || searchParams.has('uploadId'))
      this.#inParts(method, pathname, searchParams, body, response)
    else if (searchParams.has('list-type')) this.#list(searchParams, response)
    else this.#do(method, pathname, body, response)
  }

  #inParts(
    method: string,
    path: string,
    query: URLSearchParams,
    body: Buffer,
    response: ServerResponse,
  ): void {
    const id = query.get('uploadId') ?? ''
    const parts = this.unfinished.get(id)
    if (query.has('uploads')) {
      const next = String(++this.#uploads)
      this.unfinished.set(next, new Map())
      response.writeHead(200).end(xml('InitiateMultipartUploadResult', `<UploadId>${next}</UploadId>`))
    } else if (!parts) response.writeHead(404).end(error('NoSuchUpload'))
    else if (method === 'PUT') {
      parts.set(Number(query.get('partNumber')), body)
      response.writeHead(200, { etag: etagOf(body) }).end()
    } else {
      this.unfinished.delete(id)
      if (method === 'DELETE') return void response.writeHead(204).end()
      const ordered = [...parts].sort(([a], [b]) => a - b).map(([, part]) => part)
      this.stored.set(path, Buffer.concat(ordered))
      response.writeHead(200).end(xml('CompleteMultipartUploadResult', '<ETag>"parts"</ETag>'))
    }
  }

  #list(query: URLSearchParams, response: ServerResponse): void {
    const start = `/media/${query.get('prefix') ?? ''}`
    const contents = [...this.stored]
      .filter(([path]) => path.startsWith(start))
      .map(([path, { length }]) => {
        const time = `<LastModified>${this.clock().toISOString()}</LastModified>`
        return `<Contents><Key>${path.slice('/media/'.length)}</Key><Size>${length}</Size>${time}</Contents>`
      })
    const list = `<IsTruncated>false</IsTruncated>${contents.join('')}`
    response.writeHead(200).end(xml('ListBucketResult', list))
  }

  #do(method: string, path: string, body: Buffer, response: ServerResponse): void {
    const stored = this.stored.get(path)
    if (method === 'PUT') {
      this.stored.set(path, body)
      response.writeHead(200, { etag: etagOf(body) }).end()
    } else if (method === 'DELETE') {
      this.stored.delete(path)
      response.writeHead(204).end()
    } else if (/^\/media\/?$/.test(path)) response.writeHead(200).end()
    else if (!stored) response.writeHead(404).end(method === 'HEAD' ? undefined : error('NoSuchKey'))
    else
      response
        .writeHead(200, { 'content-length': stored.length, etag: etagOf(stored) })
        .end(method === 'HEAD' ? undefined : stored)
  }
}

const xml = (name: string, content: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${name}>${content}</${name}>`

const etagOf = (content: Buffer): string => `"${createHash('md5').update(content).digest('hex')}"`

/** The content of a body that the AWS SDK sends in chunks with a checksum after them: `<size in hexadecimal>\r\n<bytes>\r\n`. */
function withoutChunks({ headers }: IncomingMessage, body: Buffer): Buffer {
  if (!String(headers['content-encoding']).includes('aws-chunked')) return body
  const parts: Buffer[] = []
  for (let at = 0; ; ) {
    const end = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.toString('latin1', at, end), 16)
    if (!(size > 0)) return Buffer.concat(parts)
    parts.push(body.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
}
