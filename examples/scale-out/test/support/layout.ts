import { spawnSync } from 'node:child_process'
import { chmod, chown, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { nobody, startPgBouncer } from './pgbouncer.ts'
import { findPostgres } from './postgres.ts'
import { find, freePort, openFolder, type Running, start } from './processes.ts'

const here = (file: string): string => fileURLToPath(new URL(`../../${file}`, import.meta.url))
const cli = fileURLToPath(new URL('../../../../packages/cli/dist/bin.js', import.meta.url))

/** The programs of the layout, and those that are not installed. */
export const programs = {
  postgres: findPostgres('postgres'),
  pg_basebackup: findPostgres('pg_basebackup'),
  pgbouncer: find('pgbouncer'),
  'redis-server': find('redis-server'),
  nginx: find('nginx'),
  varnishd: find('varnishd'),
} as const
export const missing = Object.entries(programs).flatMap(([name, file]) => (file ? [] : [name]))

export interface Layout {
  /** The address of Varnish. */
  readonly url: string
  /** The servers, by address. */
  readonly servers: ReadonlyMap<string, Running>
  /** The servers of PostgreSQL themselves. */
  readonly primary: string
  readonly replica: string
  readonly close: () => Promise<void>
}

const pathOf = (file: string | undefined): string => file ?? ''
/** Servers give up the rights of root. */
const own = process.getuid?.() === 0 ? { uid: nobody } : {}
/** SIGQUIT ends PostgreSQL without waiting for its clients. */
const atOnce = { ...own, signal: 'SIGQUIT' } as const

/** Starts the whole layout of compose.yaml, with its files and other addresses, on this machine. */
export async function startLayout(): Promise<Layout> {
  if (missing.length > 0) throw new Error(`Not installed: ${missing.join(', ')}; see README.md`)
  const closing: (() => Promise<unknown>)[] = []
  const close = async (): Promise<void> => {
    for (const step of closing.splice(0).reverse()) await step()
  }
  try {
    return await begin(closing, close)
  } catch (error) {
    await close()
    throw error
  }
}

async function begin(closing: (() => Promise<unknown>)[], close: () => Promise<void>): Promise<Layout> {
  const { folder, remove } = await openFolder()
  closing.push(remove)
  const [primary, replica, redis, nginx, varnish, ...apis] = await Promise.all(
    Array.from({ length: 8 }, () => freePort()),
  )
  const run = async (...given: Parameters<typeof start>): Promise<Running> => {
    const running = await start(...given)
    closing.push(() => running.stop())
    return running
  }
  const written = async (file: string, changes: readonly (readonly [string | RegExp, string])[]) => {
    const text = changes.reduce(
      (all, [from, to]) => all.replaceAll(from, to),
      await readFile(here(file), 'utf8'),
    )
    const target = path.join(folder, file)
    await writeFile(target, text)
    return target
  }

  // PostgreSQL: the primary with primary.sql, and its copy.
  const bin = path.dirname(pathOf(programs.postgres))
  const call = (program: string, args: readonly string[], input?: string): void => {
    const { status, stderr, error } = spawnSync(path.join(bin, program), args, {
      encoding: 'utf8',
      input,
      ...own,
      ...(own.uid !== undefined && { gid: own.uid }),
    })
    if (status !== 0) throw new Error(`${program}: ${stderr || error}`)
  }
  const data = path.join(folder, 'primary')
  const settings = [
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    `unix_socket_directories=${folder}`,
    '-c',
    'fsync=off',
  ]
  call('initdb', ['-D', data, '-U', 'site', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'])
  await run(pathOf(programs.postgres), ['-D', data, '-p', String(primary), ...settings], primary ?? 0, atOnce)
  const connection = ['-h', '127.0.0.1', '-p', String(primary), '-U', 'site']
  call('createdb', [...connection, 'site'])
  call(
    'psql',
    [...connection, '-d', 'site', '-v', 'ON_ERROR_STOP=1', '-q'],
    await readFile(here('primary.sql'), 'utf8'),
  )
  const copy = path.join(folder, 'replica')
  call('pg_basebackup', [
    '-h',
    '127.0.0.1',
    '-p',
    String(primary),
    '-U',
    'replicator',
    '-D',
    copy,
    '-R',
    '-S',
    'replica',
    '--checkpoint=fast',
  ])
  await chmod(copy, 0o700)
  await run(pathOf(programs.postgres), ['-D', copy, '-p', String(replica), ...settings], replica ?? 0, atOnce)

  const direct = `postgres://site@127.0.0.1:${primary}/site`
  const bouncer = await startPgBouncer(
    pathOf(programs.pgbouncer),
    direct,
    `replica = host=127.0.0.1 port=${replica} dbname=site user=site`,
  )
  closing.push(bouncer.close)
  await run(
    pathOf(programs['redis-server']),
    ['--port', String(redis), '--save', '', '--appendonly', 'no', '--dir', folder],
    redis ?? 0,
    own,
  )

  const environment = {
    ...process.env,
    NODE_ENV: 'production',
    LOG_LEVEL: 'error',
    DATABASE_URL: bouncer.url,
    DIRECT_DATABASE_URL: direct,
    REPLICA_URLS: bouncer.url.replace(/site$/, 'replica'),
    REDIS_URL: `redis://127.0.0.1:${redis}`,
    CACHE_URLS: `http://127.0.0.1:${varnish}`,
    OCTAVO_JWT_SECRET: 'a secret of the test of at least 32 characters',
  }
  const serve = async (port: number): Promise<readonly [string, Running]> => [
    `127.0.0.1:${port}`,
    await run(
      process.execPath,
      [cli, 'start', '--config', here('octavo.config.ts'), '--host', '127.0.0.1', '--port', String(port)],
      port,
      { env: environment, signal: 'SIGKILL' },
    ),
  ]
  const servers = new Map(await Promise.all(apis.map(serve)))

  const [one = 0, two = 0, three = 0] = apis
  const nginxFile = await written('nginx.conf', [
    ['api-1:1337', `127.0.0.1:${one}`],
    ['api-2:1337', `127.0.0.1:${two}`],
    ['api-3:1337', `127.0.0.1:${three}`],
    ['listen 8080', `listen 127.0.0.1:${nginx}`],
    ['worker_processes auto', `pid ${folder}/nginx.pid;\nworker_processes 1`],
    [
      'access_log off;',
      `access_log off;\n${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}`,
    ],
  ])
  await run(pathOf(programs.nginx), ['-p', folder, '-c', nginxFile, '-g', 'daemon off;'], nginx ?? 0, own)

  const work = path.join(folder, 'varnish')
  await mkdir(work)
  if (own.uid !== undefined) await chown(work, own.uid, own.uid)
  const vcl = await written('varnish.vcl', [
    ['"balancer"', '"127.0.0.1"'],
    ['"8080"', `"${nginx}"`],
  ])
  await run(
    pathOf(programs.varnishd),
    [
      '-F',
      '-j',
      'none',
      '-n',
      work,
      '-a',
      `127.0.0.1:${varnish}`,
      '-f',
      vcl,
      '-s',
      'malloc,32m',
      '-T',
      'none',
    ],
    varnish ?? 0,
    own,
  )
  return {
    url: `http://127.0.0.1:${varnish}`,
    servers,
    primary: direct,
    replica: `postgres://site@127.0.0.1:${replica}/site`,
    close,
  }
}
