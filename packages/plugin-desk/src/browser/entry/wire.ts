/** The way from the pages of entries to the server. */
import { type OpenOptions, Wire } from '../../wire/index.ts'
import { deviceStorage, isAtWork } from '../device.ts'
import { labelFieldOf } from '../layout.ts'
import { type Model, pictureFieldOf } from '../model.ts'

export const wire = new Wire((url, request) => fetch(url, request))

type Looks = Required<Pick<OpenOptions, 'labels' | 'picture'>>

/** The attributes by which linked entries are shown. */
export const looksFor = (model: Model): Looks => ({
  labels: (uid, owner, name) => {
    const target = model.types.find((one) => one.uid === uid)
    const main = target && labelFieldOf(model, owner, name, target)
    return main === undefined ? [] : [main]
  },
  picture: (uid) => pictureFieldOf(model.types.find((one) => one.uid === uid)?.attributes ?? {}),
})

/** @param name Of the editor on this device. @param onTrouble Called when a copy cannot be kept. */
export const optionsFor = (model: Model, name: string, onTrouble: () => void): OpenOptions => ({
  storage: deviceStorage,
  tab: name,
  isOpen: isAtWork,
  onTrouble,
  ...looksFor(model),
})
