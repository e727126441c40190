import { execFile } from 'node:child_process'
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Peer } from './peer.ts'

const run = promisify(execFile)

/** Minutes that the installation of a server may take. */
const patience = 25

/** An installed peer. */
export interface Installed {
  readonly peer: Peer
  readonly folder: string
  /** The program of Node.js that runs it. */
  readonly node: string
  /** Megabytes of its node_modules; `undefined` for Octavo, which runs from the workspace. */
  readonly megabytes: number | undefined
}

/** Writes the project of a peer and installs its packages with npm, unless they are there. @throws Error with the reason of npm, or after `patience` */
export async function install(peer: Peer, parent: string): Promise<Installed> {
  const folder = path.join(parent, peer.key)
  for (const [file, text] of Object.entries(peer.files)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true })
    await writeFile(path.join(folder, file), text)
  }
  await mkdir(folder, { recursive: true })
  const node = peer.node === '20' ? await node20(parent) : process.execPath
  if (!peer.manifest) return { peer, folder, node, megabytes: undefined }
  const manifest = { name: `peer-${peer.key}`, version: '0.0.0', private: true, ...peer.manifest }
  await npm(folder, manifest, peer.npm, node)
  const { stdout } = await run('du', ['-sm', path.join(folder, 'node_modules')])
  return { peer, folder, node, megabytes: Number.parseInt(stdout, 10) }
}

async function node20(parent: string): Promise<string> {
  const folder = path.join(parent, 'node20')
  // Its script fetches the program; newer versions of npm run a script only when the manifest allows it.
  const allowScripts = { node: true }
  await npm(folder, { name: 'peer-node', private: true, dependencies: { node: '20' }, allowScripts })
  return path.join(folder, 'node_modules/node/bin/node')
}

/** @param node Runs npm and the scripts of the packages. Default: the Node.js of this process */
async function npm(
  folder: string,
  manifest: object,
  options: readonly string[] = [],
  node = process.execPath,
): Promise<void> {
  const file = path.join(folder, 'package.json')
  const text = JSON.stringify(manifest, null, 2)
  const lock = path.join(folder, 'node_modules/.package-lock.json')
  const isPresent = await Promise.all([readFile(file, 'utf8'), access(lock)]).then(
    ([previous]) => previous === text,
    () => false,
  )
  if (isPresent) return
  await mkdir(folder, { recursive: true })
  await rm(path.join(folder, 'node_modules'), { recursive: true, force: true })
  await rm(path.join(folder, 'package-lock.json'), { force: true })
  await writeFile(file, text)
  console.error(`npm install in ${folder}`)
  const env = { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}` }
  const limit = { timeout: patience * 60_000, maxBuffer: 2 ** 26 }
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...options], {
    cwd: folder,
    env,
    ...limit,
  }).catch((error: { killed?: boolean }) => {
    throw error.killed ? new Error(`npm install did not end within ${patience} minutes`) : error
  })
}
