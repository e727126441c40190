/** A process for the test in which several listen on a port at the same instant. It listens at the time of each message, until the next one. */
import Koa from 'koa'
import { type Listener, listen } from '../../src/socket/listen.ts'

interface Order {
  readonly port: number
  /** As `Date.now()`. */
  readonly at: number
}

let listener: Listener | undefined

async function obey({ port, at }: Order): Promise<string> {
  await listener?.connections.stop(0)
  listener = undefined
  if (port === 0) return 'stopped'
  while (Date.now() < at);
  try {
    listener = await listen(new Koa(), port, '127.0.0.1')
    return 'listens'
  } catch (error) {
    return (error as Error).message
  }
}

process.on('message', (order: Order) => void obey(order).then((done) => process.send?.(done)))
process.send?.('ready')
