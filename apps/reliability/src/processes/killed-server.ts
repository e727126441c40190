/** A server that is killed and started again on the same port, folder and database. */
import { makeSite } from '../site.ts'
import { freePort } from './free-port.ts'
import { OctavoProcess } from './octavo-process.ts'

export interface KilledServer {
  /** The address of the server. It stays the same. */
  readonly url: string
  /** Kills the server (SIGKILL), and starts it again. */
  restart(): Promise<void>
}

/**
 * Runs `use` with a server, and removes it and its folder.
 * @param database An empty database; `memory://`: the embedded one, in a folder of its own.
 * @param config The text of the configuration. Default: that of {@link makeSite}.
 * @throws Error with the server's output when it ends by itself.
 */
export async function withKilledServer<T>(
  database: string,
  config: string | undefined,
  use: (server: KilledServer) => Promise<T>,
): Promise<T> {
  const site = await makeSite(config)
  const options = {
    config: site.config,
    database: database === 'memory://' ? `file:${site.folder}/database` : database,
    port: await freePort(),
  }
  let server = await OctavoProcess.start(options)
  const { url } = server
  try {
    return await use({
      url,
      restart: async () => {
        await server.kill()
        server = await OctavoProcess.start(options)
      },
    })
  } finally {
    await server.kill()
    await site.remove()
  }
}
