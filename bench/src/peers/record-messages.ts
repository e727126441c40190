/**
 * Loaded before Octavo in a child process: records the bytes of the messages that it sends to PostgreSQL. Each message from the parent is
 * answered with those that were sent since the one before, in base64.
 */
import pg from 'pg'

interface Sender {
  readonly stream: { write(bytes: Uint8Array): boolean }
}
interface Message {
  submit(connection: Sender): unknown
}

let sent: string[] = []
const query = pg.Client.prototype.query

const isMessage = (asked: unknown): asked is Message =>
  typeof asked === 'object' && asked !== null && 'submit' in asked && typeof asked.submit === 'function'

function recorded(message: Message): void {
  const submit = message.submit.bind(message)
  message.submit = (connection) => {
    const { stream } = connection
    const write = stream.write.bind(stream)
    stream.write = (bytes) => {
      sent.push(Buffer.from(bytes).toString('base64'))
      return write(bytes)
    }
    try {
      return submit(connection)
    } finally {
      stream.write = write
    }
  }
}

// Every message passes here. The types are of many overloads.
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  const [asked] = args
  if (isMessage(asked)) recorded(asked)
  return Reflect.apply(query, this, args)
} as typeof query

process.on('message', () => {
  process.send?.(sent)
  sent = []
})
