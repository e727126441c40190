import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { FieldError } from '../../form/index.ts'
import type { EntryData, OpenEntry, SaveOutcome, SaveState } from '../../wire/index.ts'
import type { ContentType } from '../model/model.ts'
import type { Session } from '../model/session.tsx'
import { leadTo, type Way } from '../open-entry/context.ts'
import { errorOf, wordsOf } from '../open-entry/outcome-words.ts'
import type { Unfinished } from '../open-entry/unfinished.ts'
import { reasonOf } from '../page-parts/trouble.tsx'
import { signedInAgain } from '../requests/api.ts'
import { entriesChanged } from '../requests/changes.ts'
import { serverTime } from '../requests/server-time.ts'
import { clockOf, type Texts, useText } from '../text/index.ts'
import { type Attempts, anotherOf, pauseBefore, useAgain, useAsked } from './again.ts'
import { errorsOf, mistakesIn } from './mistakes.ts'
import { type News, newsOf } from './news.ts'
import { isOlderThanContent } from './older-content.ts'

export interface SavingParts {
  readonly type: ContentType
  readonly session: Session
  /** Whether a new entry is a translation: it takes over what all languages share, which its form does not show. */
  readonly isTranslation: boolean
  /** The name of the language of a new entry; empty without one. */
  readonly language: string
  readonly opened: OpenEntry
  readonly way: Way
  readonly unfinished: Unfinished
  /** Called after each save. */
  readonly onSaved: (entry: EntryData) => void
}

/** `publish` and `unpublish` save the changes together with the state. */
export type SaveKind = 'save' | 'publish' | 'unpublish'

/** Refusals of proxies that end by themselves: too slow, too early, and a server that is being started. */
const passing: readonly number[] = [404, 408, 425]

/** Whether the same save may succeed later. A proxy that refuses it, as one that is too large, does so each time. */
const isPassing = (outcome: SaveOutcome): boolean => {
  if (outcome.kind !== 'unknown') return outcome.kind === 'busy'
  const { status = 0 } = outcome.answered ?? {}
  return status < 400 || status >= 500 || passing.includes(status)
}

/** Saves an entry. A person whose session has ended signs in, and the save goes on. */
async function saved(
  opened: OpenEntry,
  kind: SaveKind,
  isDraft: boolean,
  isNew: boolean,
): Promise<SaveOutcome> {
  for (;;) {
    const outcome = await opened.save(stateOf(kind, isDraft && isNew), isDraft && kind === 'save')
    if (outcome.kind !== 'signed-out') return outcome
    await signedInAgain()
  }
}

/** The entry as it is stored. */
function useStored({ opened }: SavingParts) {
  const client = useQueryClient()
  const [entry, setEntry] = useState(opened.stored)
  const take = (): void => setEntry(opened.stored)
  const outdate = (): void => void entriesChanged(client)
  /** Shows the entry as others have changed it; what the person has typed stays. */
  const refresh = async (): Promise<SaveOutcome | undefined> => {
    const failed = await opened.refresh()
    take()
    outdate()
    return failed
  }
  return { entry, take, refresh, outdate }
}

export function useSaving(parts: SavingParts) {
  const { form } = parts.opened
  const { type, opened, isTranslation } = parts
  const text = useText()
  const { entry, take: takeStored, refresh: refreshStored, outdate } = useStored(parts)
  const [busy, setBusy] = useState(false)
  const [told, tell] = useState<Told>()
  const [news, setNews] = useState<News>()
  const [failed, setFailed] = useState<SaveKind | undefined>()
  const running = useRef(false)
  const [waiting, setWaiting] = useState<Waiting>()
  const ask = useAsked(form, busy, (isSame) => {
    if (!told && !failed && form.isChanged && goesOn(type, 'save', entry, isSame)) void send('save')
  })
  const refresh = async (): Promise<void> => {
    const failed = await refreshStored()
    if (failed?.kind === 'missing') tell(toldOf(failed, parts, text))
  }
  const show = (errors: readonly FieldError[], kind: SaveKind): void => {
    setFailed(kind)
    showMistakes(errors, parts)
  }
  const take = async (outcome: SaveOutcome, kind: SaveKind, attempts: Attempts): Promise<void> => {
    takeStored()
    if (outcome.kind !== 'unknown' && outcome.kind !== 'busy') tell(undefined)
    if (outcome.kind === 'overlaps') return
    if (outcome.kind === 'saved') {
      setNews(newsOf(outcome, kind === 'save', entry, opened))
      outdate()
      return opened.stored && parts.onSaved(opened.stored)
    }
    if (isPassing(outcome)) {
      const waits = waitOf(kind, form.summary('').version, attempts, outcome)
      tell({ words: wordsOfWait(waits, text), isWaiting: true })
      return setWaiting(waits)
    }
    const errors = outcome.kind === 'refused' ? errorsOf(outcome, text) : []
    if (errors.length > 0) show(errors, kind)
    tell(await reasonToTell(outcome, parts, errors.length > 0, text))
  }
  /** @param before The attempts without an answer, whose message stays until there is one. */
  const send = async (kind: SaveKind, before?: Attempts): Promise<void> => {
    if (running.current) return kind === 'save' ? ask() : undefined
    if (!before) tell(undefined)
    setNews(undefined)
    setFailed(undefined)
    setWaiting(undefined)
    const isDraft = staysDraft(type, kind, entry)
    const mistakes = [...mistakesIn(parts, isDraft, !entry, text), ...parts.unfinished.all]
    if (mistakes.length > 0) {
      tell(undefined)
      return show(mistakes, kind)
    }
    const attempts = anotherOf(before)
    running.current = true
    setBusy(true)
    try {
      await take(await saved(opened, kind, isDraft, !entry), kind, attempts)
    } catch (error) {
      tell({ words: reasonOf(error, text), isWaiting: false })
    } finally {
      running.current = false
      setBusy(false)
    }
  }
  useAgain(waiting, ({ kind, version, attempts, outcome }) => {
    const isSame = form.summary('').version === version
    if (goesOn(type, kind, entry, isSame)) return void send(kind, attempts)
    setWaiting(undefined)
    tell({ words: wordsOf(outcome, text), isWaiting: false })
  })
  return { entry, isTranslation, busy, told, news, failed, refresh, save: (kind: SaveKind) => send(kind) }
}

/** Shows mistakes at their fields, and leads to the first one. */
function showMistakes(errors: readonly FieldError[], { opened: { form }, way }: SavingParts): void {
  form.setErrors(errors)
  leadTo(way, form.errors()[0]?.key ?? '')
}

/** Whether to send a save that was asked for earlier. Text that was written since may be half a sentence, which only the person publishes. */
const goesOn = (type: ContentType, kind: SaveKind, entry: EntryData | undefined, isSame: boolean): boolean =>
  isSame || (type.hasDrafts && kind === 'save' && !entry?.attributes.publishedAt)

/** Whether the entry is a draft after a save. */
const staysDraft = (type: ContentType, kind: SaveKind, entry: EntryData | undefined): boolean =>
  type.hasDrafts && (kind === 'save' ? !entry?.attributes.publishedAt : kind === 'unpublish')

/** The sentence about the last save. */
interface Told {
  readonly words: string
  /** Whether it is sent again by itself: nothing is wrong then. */
  readonly isWaiting: boolean
  /** Whether the entry has no place at the server any more: its text can go on in a new one only. */
  readonly isStranded?: boolean
  /** Whether its language was deleted, so that the new entry has another one. */
  readonly isWithoutLanguage?: boolean
}

/** The sentence about a save that was refused; `undefined` where its mistakes are at their fields, unless correcting them on this page does not help. */
async function reasonToTell(
  outcome: SaveOutcome,
  parts: SavingParts,
  hasMistakes: boolean,
  text: Texts,
): Promise<Told | undefined> {
  const isOfValues = outcome.kind === 'refused' && !errorOf(outcome).isForbidden
  if (isOfValues && (await isOlderThanContent(parts.type, parts.session)))
    return { words: text.outdated, isWaiting: false }
  return hasMistakes ? undefined : toldOf(outcome, parts, text)
}

/** The sentence about a save that did not succeed, and is not sent again. */
function toldOf(outcome: SaveOutcome, { opened, isTranslation, language }: SavingParts, text: Texts): Told {
  const isBegun = isTranslation && opened.stored === undefined
  if (outcome.kind === 'missing')
    return { words: isBegun ? text.originGone : text.gone, isWaiting: false, isStranded: true }
  const code = outcome.kind === 'refused' ? outcome.error.details?.code : undefined
  if (code === 'i18n/locale-used' && isBegun)
    return { words: text.translatedMeanwhile(language), isWaiting: false, isStranded: true }
  const words = wordsOf(outcome, text)
  if (code === 'i18n/unknown-locale')
    return { words, isWaiting: false, isStranded: true, isWithoutLanguage: true }
  const isUnallowed =
    outcome.kind === 'read-only' || (outcome.kind === 'refused' && errorOf(outcome).isForbidden)
  return { words: isUnallowed && opened.isUnsaved ? `${words} ${text.keptHere}` : words, isWaiting: false }
}

/** A save that waits for the network, or for room at the server. */
interface Waiting {
  readonly kind: SaveKind
  /** The version of the form that was sent. */
  readonly version: number
  readonly attempts: Attempts
  readonly outcome: SaveOutcome
  /** The milliseconds since 1970 until which the server has asked to wait. */
  readonly busyUntil: number | undefined
}

function waitOf(kind: SaveKind, version: number, attempts: Attempts, outcome: SaveOutcome): Waiting {
  const pause = outcome.kind === 'busy' ? pauseBefore(attempts.count, true, outcome.after) : undefined
  return { kind, version, attempts, outcome, busyUntil: pause === undefined ? undefined : Date.now() + pause }
}

/** Says that a save is sent again; with the time of day, where that takes longer than a minute. */
function wordsOfWait({ busyUntil, outcome }: Waiting, text: Texts): string {
  if (busyUntil === undefined)
    return outcome.kind === 'unknown' && outcome.answered ? text.busyWaits(undefined) : text.offlineWaits
  return text.busyWaits(busyUntil - Date.now() > 60_000 ? clockOf(busyUntil, text) : undefined)
}

export type Saving = ReturnType<typeof useSaving>

function stateOf(kind: SaveKind, isNewDraft: boolean): SaveState {
  if (kind === 'publish') return { publishedAt: serverTime().toISOString() }
  return kind === 'unpublish' || isNewDraft ? { publishedAt: null } : {}
}
