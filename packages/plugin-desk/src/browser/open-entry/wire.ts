/** The way from the pages of entries to the server. */
import { type OpenOptions, Wire } from '../../wire/index.ts'
import { labelFieldOf } from '../model/layout.ts'
import { type Model, pictureFieldOf } from '../model/model.ts'
import { deviceStorage, isAtWork } from '../page-parts/device.ts'
import { timedFetch } from '../requests/server-time.ts'

export const wire = new Wire(timedFetch)

/** The way for one entry, whose requests can be given up. */
export const wireUntil = (signal: AbortSignal): Wire =>
  new Wire((url, request) => timedFetch(url, { ...request, signal }))

type Looks = Required<Pick<OpenOptions, 'labels' | 'picture'>>

/** The attributes by which linked entries are shown. */
export const looksFor = (model: Model): Looks => ({
  labels: (uid, owner, name) => {
    const target = model.types.find((one) => one.uid === uid)
    const main = target && labelFieldOf(model, owner, name, target)
    return main === undefined ? [] : [main]
  },
  picture: (uid) => pictureFieldOf(model, model.types.find((one) => one.uid === uid)?.attributes ?? {}),
})

/** Milliseconds that a copy waits at most for a moment without work. */
const lateness = 250

/** Calls a function later, in a moment in which the browser has nothing to draw: the copy of a large entry takes longer than a frame. */
function whenIdle(call: () => void, milliseconds: number): () => void {
  let idle: number | undefined
  const timer = setTimeout(() => {
    // Some browsers have no such moments.
    if (!('requestIdleCallback' in globalThis)) return call()
    idle = requestIdleCallback(call, { timeout: lateness })
  }, milliseconds)
  return () => {
    clearTimeout(timer)
    if (idle !== undefined) cancelIdleCallback(idle)
  }
}

/** @param name The name of the editor on this device. @param onTrouble Called when a copy cannot be kept. */
export const optionsFor = (model: Model, name: string, onTrouble: (error: unknown) => void): OpenOptions => ({
  storage: deviceStorage,
  tab: name,
  isOpen: isAtWork,
  onTrouble,
  later: whenIdle,
  longest: 2_000 - lateness,
  ...looksFor(model),
})
