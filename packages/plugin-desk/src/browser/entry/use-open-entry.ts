import { useEffect, useRef, useState } from 'react'
import { useSearch } from 'wouter'
import { nameOfNew } from '../../form/draft.ts'
import { modelOf } from '../../form/index.ts'
import { type EntryPlace, OpenEntry, type OpenOptions, type Outcome } from '../../wire/index.ts'
import type { ContentType } from '../model/model.ts'
import { mayField, readableLocales } from '../model/rights.ts'
import { type Session, useSession } from '../model/session.tsx'
import { OpenParts } from '../open-entry/context.ts'
import { optionsFor, wireUntil } from '../open-entry/wire.ts'
import { deviceStorage, isAtWork, tab, type Unkept, unkeptBy, workAs } from '../page-parts/device.ts'
import { signedInAgain } from '../requests/api.ts'
import { begunAs } from './begun.ts'

/** The entry that an address leads to. */
export interface Address {
  readonly type: ContentType
  /** `new`, an id, or `undefined` for a single type. */
  readonly id: string | undefined
  /** The locale of a new entry or a single type. */
  readonly locale: string | undefined
  /** The id of the entry of which a new one is a translation. */
  readonly origin: string | undefined
  /** The name of a new entry that begins as a copy of another one. */
  readonly begun: string | undefined
}

async function placeOf(
  { type, id, locale, origin, begun }: Address,
  { me }: Session,
  editor: string,
): Promise<EntryPlace> {
  const { uid, route } = type
  const place = { person: me.person.id, uid, route }
  if (id === undefined) return { ...place, single: true, entry: 0, locale }
  if (id !== 'new') return { ...place, entry: Number(id) }
  if (begun !== undefined) return { ...place, entry: `new-${begun}`, locale }
  const of = origin === undefined ? undefined : Number(origin)
  const isLeft = async (name: string) => name === editor || !(await isAtWork(name))
  const entry = await nameOfNew(deviceStorage, { ...place, locale }, of, isLeft)
  return { ...place, entry, locale, origin: of }
}

/** Whether the person may give an entry a value: the language is that of the entry, or that of the address for a new one. */
const givenBy =
  ({ me }: Session, { type, locale }: Address): NonNullable<OpenOptions['mayGive']> =>
  (path, stored) => {
    const language = stored?.attributes.locale
    return mayField(
      me,
      type.uid,
      stored ? 'update' : 'create',
      path,
      typeof language === 'string' ? language : locale,
    )
  }

/** Opens an entry; a person whose session has ended signs in first. */
async function load(
  address: Address,
  session: Session,
  editor: string,
  onTrouble: (error: unknown) => void,
  signal: AbortSignal,
): Promise<OpenEntry | Outcome> {
  const place = await placeOf(address, session, editor)
  const begun = begunAs(address.begun)
  const options = {
    ...optionsFor(session.model, editor, onTrouble),
    mayGive: givenBy(session, address),
    // The copy of an entry has its name in the address, which a duplicated tab has as well.
    borrows: address.begun !== undefined,
  }
  const wire = wireUntil(signal)
  for (;;) {
    const opened = await OpenEntry.open(wire, modelOf(session.model), place, options)
    // Values that were written into the copy since are back by themselves.
    if (opened instanceof OpenEntry && begun && opened.restored === undefined)
      opened.form.restore(opened.form.base, begun.value)
    if (opened instanceof OpenEntry || opened.kind !== 'signed-out') return opened
    await signedInAgain()
  }
}

export interface Opening {
  /** The entry, or the outcome of the request that failed; `undefined` while it is loaded. */
  readonly opened: OpenEntry | Outcome | undefined
  /** The parts of the entry that are open. */
  readonly open: OpenParts
  /** Why this device keeps no copy; `undefined` where it does. */
  readonly unkept: Unkept | undefined
  /** Forgets what is not saved, and loads the entry anew. */
  readonly discard: () => void
  /** Asks for the entry once more. */
  readonly again: () => void
}

/** The address of the page. */
export function useAddress(type: ContentType, id: string | undefined): Address {
  const session = useSession()
  const search = new URLSearchParams(useSearch())
  const [usual] = id === undefined ? readableLocales(type, session) : session.model.locales
  const locale = search.get('locale') ?? (type.isLocalized ? usual?.code : undefined)
  if (id !== 'new') return { type, id, locale, origin: undefined, begun: undefined }
  const [begun] = /^[0-9a-f]{16}$/.exec(search.get('as') ?? '') ?? []
  return { type, id, locale, origin: search.get('from') ?? undefined, begun }
}

const isSame = (one: Address, other: Address): boolean =>
  (['type', 'id', 'locale', 'origin', 'begun'] as const).every((name) => one[name] === other[name])

/** The address, and how many others came before. A new entry that is saved goes on at the address that it then has. */
function useAt(address: Address, opened: Opening['opened']) {
  const at = useRef({ address, turn: 0 })
  const { current: before } = at
  if (!isSame(before.address, address)) {
    const isOfNew = before.address.id === 'new' && before.address.type === address.type
    const goesOn = isOfNew && opened instanceof OpenEntry && String(opened.id) === address.id
    at.current = { address, turn: goesOn ? before.turn : before.turn + 1 }
  }
  return at.current
}

interface Shown {
  readonly opened: Opening['opened']
  readonly open: OpenParts
}

const nothing = (): Shown => ({ opened: undefined, open: new OpenParts() })

/** The entry of an address, while its page or panel is shown. @param editor The name under which its copies are kept. */
export function useOpenEntry(wanted: Address, editor = tab): Opening {
  const session = useSession()
  const [{ opened, open: parts }, setShown] = useState(nothing)
  const [unkept, setUnkept] = useState<Unkept>()
  const [round, setRound] = useState(0)
  const { address, turn } = useAt(wanted, opened)
  const stayOpen = useRef<readonly string[]>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the turn stands for the address; the model and the person stay while the page is shown
  useEffect(() => {
    let isLeft = false
    let entry: OpenEntry | undefined
    const giveUp = new AbortController()
    const endWork = workAs(editor)
    const keep = () => void entry?.keep()
    const begin = async () => {
      const open = new OpenParts(stayOpen.current)
      stayOpen.current = []
      const found = await load(address, session, editor, (error) => setUnkept(unkeptBy(error)), giveUp.signal)
      if (found instanceof OpenEntry) entry = found
      if (isLeft) await entry?.close()
      else setShown({ opened: found, open })
    }
    void begin().catch(() => {
      if (!isLeft) setShown({ ...nothing(), opened: { kind: 'unknown' } })
    })
    window.addEventListener('pagehide', keep)
    return () => {
      isLeft = true
      // An answer that comes late would take over the copies of closed tabs as well. Requests of an open entry are saves, which go on.
      if (!entry) giveUp.abort()
      window.removeEventListener('pagehide', keep)
      setShown(nothing)
      endWork()
      void entry?.close()
    }
  }, [turn, editor, round])
  const discard = () => {
    if (!(opened instanceof OpenEntry)) return
    stayOpen.current = parts.keysOnceLoaded(opened.form)
    void opened.discard().then(() => setRound(round + 1))
  }
  return { opened, open: parts, unkept, discard, again: () => setRound(round + 1) }
}
