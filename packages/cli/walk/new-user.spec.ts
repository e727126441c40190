import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runs } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { install, packedPackages } from './packed.ts'

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')

/** An empty folder in which the packages are installed, as they would be published. */
let folder: string
const bin = () => path.join(folder, 'node_modules/.bin/octavo')

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'octavo-walk-'))
  const tarballs = packedPackages()
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  install(folder, ...tarballs.values(), 'express@5')
  for (const version of [20, 22]) install(path.join(folder, `node-${version}`), `node@${version}`)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const nodeOf = (version: 20 | 22) => path.join(folder, `node-${version}/node_modules/node/bin/node`)

/** Node.js of the lowest line that the packages take, and that of this workspace. */
const engines: Readonly<Record<string, () => string>> = {
  'Node.js 22': () => nodeOf(22),
  'Node.js of the workspace': () => process.execPath,
}
/** On each change the first, which lacks most of what newer ones have; the pages of `docs/walk` have the other. */
const walked = Object.entries(engines).slice(0, runs(1, 2))

interface Started {
  readonly url: string
  readonly log: () => string
  /** Waits until a text has been logged. */
  readonly logs: (text: string) => Promise<void>
  readonly stop: () => Promise<unknown>
}

/** Starts a server and waits for its address. */
async function started(
  node: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Started> {
  const child = spawn(node, args, {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'development', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { stdout, stderr } = child
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [stdout, stderr])
      stream.on('data', (chunk) => {
        output += chunk
        const found = /http:\/\/(?:localhost|[\d.]+):\d+/.exec(output)?.[0]
        if (found) resolve(found)
      })
    child.once('exit', () => reject(new Error(`It ended: ${output}`)))
  })
  const ended = once(child, 'exit')
  return {
    url,
    log: () => output,
    logs: async (text) => {
      while (!output.includes(text)) await Promise.race([once(stdout, 'data'), once(stderr, 'data')])
    },
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
}

/** The commands of the README's section on own content, without `pnpm` and with the folder of this walk. */
const commands = [...readme.matchAll(/^pnpm octavo (.*?)(?: +#.*)?$/gm)]
  .map(([, command = '']) => command.replaceAll("'", '').replaceAll('./my-project', './content').split(' '))
  .filter((words) => words.includes('./content'))

describe.each(walked)('14: a new user in an empty folder, with %s', (_name, engine) => {
  const octavo = (...args: readonly string[]) =>
    spawnSync(engine(), [bin(), ...args], {
      cwd: folder,
      env: { ...process.env, NODE_ENV: 'development' },
      encoding: 'utf8',
    })
  const get = async (url: string, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await fetch(url, { headers })
    return [answer.status, await answer.json()] as const
  }

  it('runs the commands of the README, and each refusal names the command to run', async () => {
    rmSync(path.join(folder, '.octavo'), { recursive: true, force: true })
    mkdirSync(path.join(folder, 'content/content-types'), { recursive: true })
    writeFileSync(
      path.join(folder, 'content/content-types/article.json'),
      JSON.stringify({
        kind: 'collectionType',
        info: { singularName: 'article', pluralName: 'articles' },
        attributes: { title: { type: 'string', required: true } },
      }),
    )
    const content = ['--content', './content']
    const serve = (...args: readonly string[]) =>
      started(engine(), [bin(), 'start', ...content, '--port', '0', '--drain', '0', ...args])
    expect(octavo('check', ...content).stdout).toContain('no mistakes')

    const closed = await serve()
    expect((await get(`${closed.url}/api/articles`))[0]).toBe(403)
    await closed.logs("octavo permissions grant public 'api::*.find*'")
    await closed.logs('octavo start --public-read')
    await closed.stop()

    expect(commands.map(([name]) => name)).toEqual(['start', 'start', 'permissions'])
    const [, trial = [], grant = []] = commands
    const open = await started(engine(), [bin(), ...trial, '--port', '0', '--drain', '0'])
    expect(await get(`${open.url}/api/articles`)).toMatchObject([200, { data: [] }])
    await open.stop()

    const granted = octavo(...grant)
    expect([granted.status, granted.stdout]).toEqual([
      0,
      expect.stringContaining('api::article.article.find'),
    ])
    expect(granted.stderr).not.toMatch(/"stack"|^\s+at /m)
    const created = octavo('token', 'create', '--name', 'walk', '--full', ...content)
    expect(created.stderr).not.toMatch(/"stack"|^\s+at /m)
    const token = created.stdout.trim()

    const server = await serve()
    try {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const answer = await fetch(`${server.url}/api/articles`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ data: { title: 'First light' } }),
      })
      expect(answer.status).toBe(200)
      // The role public was granted it above.
      expect(await get(`${server.url}/api/articles`)).toMatchObject([
        200,
        { data: [{ attributes: { title: 'First light' } }] },
      ])
      expect(server.log()).not.toContain('No role has a permission')
      const [status, body] = await get(`${server.url}/api/articels`)
      expect([status, (body as { error: { details: { code: string } } }).error.details.code]).toEqual([
        404,
        expect.any(String),
      ])
    } finally {
      await server.stop()
    }
    const exported = octavo('export', '-', ...content).stdout
    expect(JSON.parse(exported).entries['api::article.article']).toMatchObject([{ title: 'First light' }])
  })

  it('runs the program of the README unchanged', async () => {
    const program = [...readme.matchAll(/```ts\n(.*?)```/gs)]
      .map(([, code = '']) => code)
      .find((code) => code.includes('createServer('))
    if (program === undefined) throw new Error('The README has no program')
    // Any port that is free.
    writeFileSync(path.join(folder, 'program.ts'), program.replace('listen(1337)', 'listen(0)'))
    const server = await started(engine(), ['program.ts'])
    try {
      await server.logs('First light Ada')
      expect(await get(`${server.url}/api/articles`)).toMatchObject([
        200,
        { data: [{ attributes: { title: 'First light' } }] },
      ])
      const refused = await fetch(`${server.url}/api/articles`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"data":{"title":"x"}}',
      })
      expect([refused.status, await refused.text()]).toEqual([
        403,
        // It says what an operator may do, and where to read about it.
        expect.stringMatching(/docs\/rights\.md.*access: 'open'/),
      ])
    } finally {
      await server.stop()
    }
  })

  it('puts Octavo into an Express application', async () => {
    const example = readFileSync(
      new URL('../../../examples/embedding/src/in-express.ts', import.meta.url),
      'utf8',
    )
    writeFileSync(path.join(folder, 'in-express.ts'), example)
    writeFileSync(
      path.join(folder, 'express-program.ts'),
      `import { createServer } from '@octavo/server'
import { inExpress } from './in-express.ts'
const article = {
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  attributes: { title: { type: 'string' } },
} as const
const octavo = await createServer({ contentTypes: [article], database: 'memory://', access: 'open' })
const http = inExpress(octavo).listen(0, () => console.log('http://127.0.0.1:' + (http.address() as { port: number }).port))
`,
    )
    const server = await started(engine(), ['express-program.ts'])
    try {
      expect(await get(`${server.url}/hello`)).toEqual([200, { hello: 'Express' }])
      const created = await fetch(`${server.url}/api/articles`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"data":{"title":"First light"}}',
      })
      expect(created.status).toBe(200)
      expect(await get(`${server.url}/api/articles`)).toMatchObject([
        200,
        { data: [{ attributes: { title: 'First light' } }] },
      ])
    } finally {
      await server.stop()
    }
  })

  it('serves an unchanged Strapi 4 project, and lists the code that does not run', async () => {
    const project = path.join(folder, 'project')
    cpSync(new URL('../test/fixtures/strapi-project', import.meta.url), project, { recursive: true })
    const checked = octavo('check', '--content', './project')
    for (const part of ['Not run or used', 'policies/is-author.js', 'lifecycles', 'docs/from-strapi-4.md'])
      expect(checked.stdout).toContain(part)
    expect(checked.stdout).not.toContain('no mistakes')
    const env = { ENV_PATH: 'project.env' }
    const args = [
      bin(),
      'start',
      '--content',
      './project',
      '--database',
      'memory://',
      '--public-read',
      '--port',
      '0',
    ]
    const server = await started(engine(), args, env)
    try {
      const answers = [
        '/content/restaurants?populate=*',
        '/content/restaurants?populate=deep',
        '/content/nothing',
      ]
      const found = await Promise.all(answers.map((at) => get(`${server.url}${at}`)))
      expect(found.map(([status]) => status)).toEqual([200, 200, 404])
      await server.logs('populate=deep: this is a parameter of populate-deep')
      const deep = await get(`${server.url}/content/restaurants?populate=deep,3`)
      expect(deep).toMatchObject([
        400,
        { error: { message: expect.stringContaining('name the relations to populate') } },
      ])
    } finally {
      await server.stop()
    }
  })
})

describe('a user of Node.js 20', () => {
  it('learns in one line that it is too old', () => {
    const node = nodeOf(20)
    const version = execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim()
    const line = `Octavo needs Node.js 22.22 or later, and this is ${version}: see https://nodejs.org\n`
    for (const args of [
      [bin(), 'start'],
      ['--input-type=module', '-e', `import '@octavo/server'`],
      ['--input-type=module', '-e', `import '@octavo/plugin-upload'`],
    ]) {
      const { status, stderr } = spawnSync(node, args, { cwd: folder, encoding: 'utf8' })
      expect([status, stderr]).toEqual([1, line])
    }
  })
})
