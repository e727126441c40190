import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Magazine } from './magazine.ts'
import { docs } from './pages.ts'
import { printJson, withExamples } from './print-json.ts'

/** An answer as a fenced block. */
export interface PrintedAnswer {
  readonly status: number
  readonly language: 'json' | 'text'
  readonly code: string
}

/**
 * Sends the request of an `http` block:
 *
 *     POST /api/articles
 *     Authorization: Bearer $TOKEN
 *
 *     { "data": { "title": "First light" } }
 *
 * A body is JSON or, with `Content-Type: multipart/form-data`, lines `name=value` and `name=@file`.
 */
export async function exchange(
  block: string,
  { url, secrets }: Pick<Magazine, 'url' | 'secrets'>,
): Promise<PrintedAnswer> {
  const [head = '', ...rest] = block.trim().split('\n\n')
  const [line = '', ...fields] = head.split('\n')
  const [, method = '', target = ''] = /^([A-Z]+) (\/\S*)$/.exec(line) ?? []
  if (method === '') throw new Error(`This is no request: ${line}`)
  const headers = new Headers(fields.map(readHeader(secrets)))
  const body = withSecrets(rest.join('\n\n'), secrets)
  const isForm = headers.get('content-type') === 'multipart/form-data'
  if (isForm) headers.delete('content-type')
  else if (body !== '' && !headers.has('content-type')) headers.set('content-type', 'application/json')
  const response = await fetch(url + target, {
    method,
    headers,
    redirect: 'manual',
    ...(body !== '' && { body: isForm ? formOf(body) : body }),
  })
  return printed(response)
}

const withSecrets = (text: string, secrets: Readonly<Record<string, string>>): string =>
  text.replace(/\$([A-Z]+)/g, (whole, name) => secrets[name] ?? whole)

const readHeader =
  (secrets: Readonly<Record<string, string>>) =>
  (field: string): [string, string] => {
    const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(field) ?? []
    return [name, withSecrets(value, secrets)]
  }

function formOf(body: string): FormData {
  const form = new FormData()
  for (const line of body.split('\n')) {
    const [name = '', ...value] = line.split('=')
    const text = value.join('=')
    if (text.startsWith('@')) {
      const file = readFileSync(path.join(docs, 'model', text.slice(1)))
      form.append(name, new Blob([file]), text.slice(1))
    } else form.append(name, text)
  }
  return form
}

async function printed(response: Response): Promise<PrintedAnswer> {
  const text = await response.text()
  if (response.headers.get('content-type')?.startsWith('application/json'))
    return {
      status: response.status,
      language: 'json',
      code: `${printJson(withExamples(JSON.parse(text)))}\n`,
    }
  const location = response.headers.get('location')
  const status = `HTTP ${response.status} ${response.statusText}${location ? `\nLocation: ${location}` : ''}`
  const lines = text.split('\n').slice(0, 3)
  return {
    status: response.status,
    language: 'text',
    code: text === '' ? `${status}\n` : `${lines.join('\n')}\n…\n`,
  }
}
