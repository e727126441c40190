import { execFile } from 'node:child_process'
import { access, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Peer } from './peer.ts'

const run = promisify(execFile)

/** An installed peer. */
export interface Installed {
  readonly peer: Peer
  readonly folder: string
  /** The program of Node.js that runs it. */
  readonly node: string
  /** Megabytes of its node_modules; `undefined` for Octavo, which runs from the workspace. */
  readonly megabytes: number | undefined
}

/** Writes the project of a peer and installs its packages with npm, unless they are there. @throws Error with the reason of npm */
export async function install(peer: Peer, parent: string): Promise<Installed> {
  const folder = path.join(parent, peer.key)
  for (const [file, text] of Object.entries(peer.files)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true })
    await writeFile(path.join(folder, file), text)
  }
  await mkdir(folder, { recursive: true })
  const node = peer.node === '20' ? await node20(parent) : process.execPath
  if (!peer.manifest) return { peer, folder, node, megabytes: undefined }
  await npm(folder, { name: `peer-${peer.key}`, version: '0.0.0', private: true, ...peer.manifest }, peer.npm)
  const { stdout } = await run('du', ['-sm', path.join(folder, 'node_modules')])
  return { peer, folder, node, megabytes: Number.parseInt(stdout, 10) }
}

async function node20(parent: string): Promise<string> {
  const folder = path.join(parent, 'node20')
  const manifest = { name: 'peer-node', private: true, dependencies: { node: '20' } }
  await npm(folder, manifest, ['--allow-scripts=node'])
  return path.join(folder, 'node_modules/node/bin/node')
}

async function npm(folder: string, manifest: object, options: readonly string[] = []): Promise<void> {
  const done = path.join(folder, 'node_modules/.package-lock.json')
  const present = await access(done).then(
    () => true,
    () => false,
  )
  if (present) return
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest, null, 2))
  console.error(`npm install in ${folder}`)
  await run('npm', ['install', '--no-audit', '--no-fund', ...options], { cwd: folder, maxBuffer: 2 ** 26 })
}
