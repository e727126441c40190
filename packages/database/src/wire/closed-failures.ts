/** Connections that fail before they are open are closed. */
import type { Client } from 'pg'

type MakesClients = new (config?: ConstructorParameters<typeof Client>[0]) => Client

/**
 * A client of pg that closes its connection when it cannot connect, as for a URL without the password that the server asks for. pg's pool
 * forgets such a client, and leaves its connection to the server, which waits a minute for an answer: the connection takes one of the server's places
 * and keeps the process alive.
 */
export const withClosedFailures = <T extends MakesClients>(Base: T): T =>
  class extends (Base as MakesClients) {
    override connect(): Promise<this>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<this> | undefined {
      if (callback === undefined) return super.connect() as Promise<this>
      super.connect((error: Error) => {
        if (error) this.connection.stream.destroy()
        callback(error)
      })
      return undefined
    }
  } as T
