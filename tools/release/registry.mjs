/** A registry on loopback, in a temporary folder. Octavo's packages come from it only, all others from npm. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)

/** @returns {Promise<{ url: string, npmrc: string, stop: () => Promise<void> }>} `npmrc` is a configuration of npm for it. */
export async function startRegistry(folder) {
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const uplink = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()
  // Our own scope has no proxy: an absent package of ours is a 404, whatever npm has by that name.
  writeFileSync(
    join(folder, 'config.yaml'),
    `storage: ./storage
auth: { htpasswd: { file: ./htpasswd, max_users: -1 } }
uplinks: { npmjs: { url: '${uplink}', timeout: 60s, max_fails: 5 } }
packages:
  '@octavo/*': { access: $all, publish: $anonymous }
  'create-octavo': { access: $all, publish: $anonymous }
  '**': { access: $all, publish: $anonymous, proxy: npmjs }
max_body_size: 100mb
web: { enable: false }
log: { type: file, path: ./registry.log, level: warn }
`,
  )
  // npm refuses to publish without a token; the registry accepts any.
  const npmrc = join(folder, 'npmrc')
  writeFileSync(
    npmrc,
    `registry=${url}\n//127.0.0.1:${port}/:_authToken=none\naudit=false\nfund=false\nupdate-notifier=false\n`,
  )
  const bin = join(dirname(require.resolve('verdaccio/package.json')), 'bin/verdaccio')
  const child = spawn(process.execPath, [bin, '-c', 'config.yaml', '-l', `127.0.0.1:${port}`], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  let isRunning = true
  void ended.then(() => {
    isRunning = false
  })
  while (
    !(await fetch(`${url}-/ping`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (!isRunning) throw new Error(`The registry did not start; see ${join(folder, 'registry.log')}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return {
    url,
    npmrc,
    stop: async () => {
      child.kill()
      await ended
    },
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return port
}
