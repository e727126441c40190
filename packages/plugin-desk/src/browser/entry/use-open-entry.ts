import { useEffect, useState } from 'react'
import { useSearch } from 'wouter'
import { nameOfNew } from '../../form/draft.ts'
import { modelOf } from '../../form/index.ts'
import { type EntryPlace, OpenEntry, type OpenOptions, type Outcome, Wire } from '../../wire/index.ts'
import { signedInAgain } from '../api.ts'
import { deviceStorage, isOpenTab, tab } from '../device.ts'
import { labelFieldOf } from '../layout.ts'
import type { ContentType, Model } from '../model.ts'
import { type Session, useSession } from '../session.tsx'

const wire = new Wire((url, request) => fetch(url, request))

/** What an address of an entry leads to. */
interface Address {
  readonly type: ContentType
  /** `new`, an id, or `undefined` for a single type. */
  readonly id: string | undefined
  /** The locale of a new entry or a single type. */
  readonly locale: string | undefined
  /** The id of the entry of which a new one is a translation. */
  readonly origin: string | undefined
}

async function placeOf({ type, id, locale, origin }: Address, { me, model }: Session): Promise<EntryPlace> {
  const { uid, route } = type
  const place = { person: me.person.id, uid, route }
  if (id === undefined) {
    const isTranslation = locale !== undefined && locale !== model.locales[0]?.code
    return { ...place, single: true, entry: 0, locale, ...(isTranslation && { origin: 0 }) }
  }
  if (id !== 'new') return { ...place, entry: Number(id) }
  const of = origin === undefined ? undefined : Number(origin)
  const isLeft = async (name: string) => name === tab || !(await isOpenTab(name))
  const entry = await nameOfNew(deviceStorage, { ...place, locale }, of, isLeft)
  return { ...place, entry, locale, origin: of }
}

const optionsFor = (model: Model, onTrouble: () => void): OpenOptions => ({
  storage: deviceStorage,
  tab,
  isOpen: isOpenTab,
  onTrouble,
  labels: (uid, owner, name) => {
    const target = model.types.find((one) => one.uid === uid)
    const main = target && labelFieldOf(model, owner, name, target)
    return main === undefined ? [] : [main]
  },
})

/** Opens an entry; a person whose session has ended signs in first. */
async function open(address: Address, session: Session, onTrouble: () => void): Promise<OpenEntry | Outcome> {
  const place = await placeOf(address, session)
  const options = optionsFor(session.model, onTrouble)
  for (;;) {
    const opened = await OpenEntry.open(wire, modelOf(session.model), place, options)
    if (opened instanceof OpenEntry || opened.kind !== 'signed-out') return opened
    await signedInAgain()
  }
}

export interface Opening {
  /** The entry, or the outcome of the request that failed; `undefined` while it is loaded. */
  readonly opened: OpenEntry | Outcome | undefined
  /** Whether this device keeps no copy, as with a full disk. */
  readonly isUnkept: boolean
  /** Forgets what is not saved, and loads the entry anew. */
  readonly discard: () => void
}

/** The entry of an address, while its page is shown. */
export function useOpenEntry(type: ContentType, id: string | undefined): Opening & Omit<Address, 'type'> {
  const session = useSession()
  const search = new URLSearchParams(useSearch())
  const locale = search.get('locale') ?? (type.isLocalized ? session.model.locales[0]?.code : undefined)
  const origin = id === 'new' ? (search.get('from') ?? undefined) : undefined
  const [opened, setOpened] = useState<Opening['opened']>()
  const [isUnkept, setUnkept] = useState(false)
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the model and the person stay while the page is shown
  useEffect(() => {
    let isLeft = false
    let entry: OpenEntry | undefined
    const keep = () => void entry?.keep()
    const begin = async () => {
      const found = await open({ type, id, locale, origin }, session, () => setUnkept(true))
      if (found instanceof OpenEntry) entry = found
      if (isLeft) await entry?.close()
      else setOpened(found)
    }
    void begin().catch(() => setOpened({ kind: 'unknown' }))
    window.addEventListener('pagehide', keep)
    return () => {
      isLeft = true
      window.removeEventListener('pagehide', keep)
      setOpened(undefined)
      void entry?.close()
    }
  }, [type, id, locale, origin, round])
  const discard = () => {
    if (!(opened instanceof OpenEntry)) return
    void opened.discard().then(() => setRound(round + 1))
  }
  return { opened, isUnkept, discard, id, locale, origin }
}
