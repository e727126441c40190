import { isObject } from '@octavo/core/internal'

/** Milliseconds for an email by a transport of a program, which has no limits of its own. */
const patience = 60_000

type Done = (error: unknown, result?: unknown) => void
type Send = (mail: unknown, done: Done) => unknown

/**
 * A transport of a program, whose `send` ends: nodemailer waits for its callback for ever, and ignores the promise of an `async` one, whose rejection
 * would end the server.
 *
 * @param transport An object with the function `send`.
 */
export function endingTransport<T extends Readonly<Record<string, unknown>>>(
  transport: T,
  time = patience,
): T {
  const send: Send = (mail, done) => {
    const end = once(done, time)
    try {
      const sent = (transport.send as Send)(mail, end)
      // A fulfilled promise does not mean that the mail was sent: the callback may follow.
      if (isObject(sent) && typeof sent.then === 'function')
        sent.then(undefined, (error: unknown) => end(error ?? nothing()))
    } catch (error) {
      end(error ?? nothing())
    }
  }
  // Not a copy: methods of a class are not copied, and need their object.
  return new Proxy(transport, {
    get: (target, key) => {
      if (key === 'send') return send
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** The error of a transport that throws nothing, which nodemailer would take for a success. */
const nothing = (): Error => new Error('The transport of emails failed without an error')

/** A callback that is called once: by the transport, or with an error when the time is over. */
function once(done: Done, time: number): Done {
  let isOver = false
  const end: Done = (error, result) => {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    done(error, result)
  }
  const timer = setTimeout(
    () => end(new Error(`The transport of emails has not sent an email after ${time} ms`)),
    time,
  )
  timer.unref()
  return end
}
