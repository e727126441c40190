/**
 * Two editors, a program that writes as well, tabs that are killed, sessions that end and a network that loses requests and answers, in
 * random order: nothing acknowledged is lost, and nothing typed but since the last pause. Each edit adds a word that occurs once;
 * at the end all words are there, each once.
 *
 * Each sequence has both editors, the program, a killed tab, an ended session and a lost network. There are 1,000 each night, in four
 * parts that can be run one by one (`-t 'part 1 '`), and 30 in the suite; those of `examples` come before those of each part.
 */
import { unrestricted } from '@octavo/core'
import { runs } from '@octavo/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FormModel, modelOf } from '../src/form/index.ts'
import { type EntryPlace, OpenEntry, Wire, type WireFetch } from '../src/wire/index.ts'
import { localStore } from './form/local-store.ts'
import { openSite, type Site } from './site.ts'

const uid = 'api::page.page'
const program = unrestricted('writes beside the editors')
const parts = Array.from({ length: runs(1, 4) }, (_, i) => i + 1)
/** Of a part. */
const sequences = runs(30, 250)

type Fault = 'request' | 'answer' | 'late'

/** The words of a sequence, and those that may be missing at its end. */
class Words {
  readonly all = new Set<string>()
  readonly mayMiss = new Set<string>()
  next(): string {
    const word = `w${this.all.size + 1}`
    this.all.add(word)
    return word
  }
}

/** An editor with a browser: a tab, the local storage, the session. */
class EditorAtWork {
  readonly #site: Site
  readonly #model: FormModel
  #place: EntryPlace
  readonly #words: Words
  readonly #email: string
  readonly #storage = localStore()
  #cookie: string | undefined
  #tabs = 0
  #faults: Fault[] = []
  #late: (() => Promise<unknown>)[] = []
  #timers: (() => void)[] = []
  /** Words since the last pause. */
  #fresh: string[] = []
  entry: OpenEntry | undefined

  constructor(site: Site, model: FormModel, place: EntryPlace, words: Words, email: string) {
    this.#site = site
    this.#model = model
    this.#place = place
    this.#words = words
    this.#email = email
  }

  async signIn(): Promise<void> {
    this.#cookie ??= cookies.get(this.#email) ?? (await this.#site.signIn(this.#email))
    cookies.set(this.#email, this.#cookie)
  }

  endSession(): void {
    this.#cookie = undefined
  }

  fault(kind: Fault): void {
    this.#faults.push(kind)
  }

  heal(): void {
    this.#faults = []
  }

  /** Requests that were under way when the network broke arrive now. */
  async arrive(): Promise<void> {
    for (const request of this.#late.splice(0)) await request()
  }

  readonly #fetch: WireFetch = async (path, request) => {
    const send = () =>
      fetch(`${this.#site.url}${path}`, {
        ...request,
        headers: {
          ...request.headers,
          origin: this.#site.url,
          ...(this.#cookie !== undefined && { cookie: this.#cookie }),
        },
      })
    const fault = this.#faults.shift()
    if (fault === 'late') this.#late.push(send)
    if (fault === 'answer') await (await send()).text()
    if (fault !== undefined) throw new Error('The network is lost.')
    return send()
  }

  async open(): Promise<void> {
    this.#tabs += 1
    const opened = await OpenEntry.open(new Wire(this.#fetch), this.#model, this.#place, {
      storage: this.#storage,
      tab: `${this.#email}-${this.#tabs}`,
      later: (call) => {
        this.#timers.push(call)
        return () => {
          this.#timers = this.#timers.filter((one) => one !== call)
        }
      },
    })
    this.entry = opened instanceof OpenEntry ? opened : undefined
  }

  write(field: 'title' | 'notes'): void {
    const form = this.entry?.form
    const node = form?.get(field)
    if (!form || node?.kind !== 'scalar') return
    form.set(field, `${node.value ?? ''} ${this.#word()}`, { typing: true })
  }

  insert(where: number): void {
    const form = this.entry?.form
    const node = form?.get('parts')
    if (!form || node?.kind !== 'components') return
    const part = form.insert('parts', 'page.part', where % (node.items.length + 1))
    form.set(`${part}/text`, this.#word())
    const inner = form.insert(`${part}/links`, 'page.link')
    form.set(`${inner}/url`, this.#word())
  }

  #word(): string {
    const word = this.#words.next()
    this.#fresh.push(word)
    return word
  }

  remove(which: number): void {
    const form = this.entry?.form
    const node = form?.get('parts')
    const part = node?.kind === 'components' ? node.items[which % Math.max(1, node.items.length)] : undefined
    if (!form || part === undefined) return
    for (const word of wordsIn(JSON.stringify(form.copied(part)))) this.#words.mayMiss.add(word)
    form.remove(part)
  }

  undo(): void {
    const form = this.entry?.form
    if (!form?.canUndo) return
    const before = wordsIn(JSON.stringify(form.value()))
    form.undo()
    const after = new Set(wordsIn(JSON.stringify(form.value())))
    for (const word of before) if (!after.has(word)) this.#words.mayMiss.add(word)
  }

  async pause(): Promise<void> {
    for (const call of this.#timers.splice(0)) call()
    await this.entry?.keep()
    this.#fresh = []
  }

  async kill(): Promise<void> {
    this.#timers = []
    for (const word of this.#fresh) this.#words.mayMiss.add(word)
    this.#fresh = []
    // An entry that exists is opened by its id, as from a list.
    const id = this.entry?.id
    if (id !== undefined) this.#place = { ...this.#place, entry: id }
    await this.open()
  }

  async save(): Promise<string> {
    const { entry } = this
    if (!entry) return 'closed'
    const { kind } = await entry.save()
    // A save keeps a copy before it sends anything.
    this.#fresh = []
    if (kind === 'overlaps') this.#resolve(entry)
    return kind
  }

  /** The editor sees both values, and keeps the words of both. */
  #resolve({ form }: OpenEntry): void {
    for (const overlap of form.overlaps()) {
      const { key, mine, theirs } = overlap
      form.resolve(overlap, 'mine')
      if (mine.kind !== 'scalar' || theirs.kind !== 'scalar') continue
      const node = form.get(key)
      const text = node.kind === 'scalar' ? String(node.value ?? '') : ''
      const missing = wordsIn(String(theirs.value ?? '')).filter((word) => !wordsIn(text).includes(word))
      form.set(key, [text, ...missing].join(' '))
    }
  }

  /** Everything is well again: saves until all is saved. */
  async finish(): Promise<void> {
    this.heal()
    await this.signIn()
    if (!this.entry) await this.open()
    for (let i = 0; i < 12; i += 1) {
      const kind = await this.save()
      if (kind === 'saved') return
      if (kind === 'refused') throw new Error(JSON.stringify(await this.entry?.save()))
    }
    throw new Error('The entry is not saved.')
  }
}

const cookies = new Map<string, string>()
const wordsIn = (text: string): readonly string[] => text.match(/\bw\d+\b/g) ?? []

const steps = [
  'title',
  'title',
  'notes',
  'notes',
  'insert',
  'insert',
  'remove',
  'undo',
  'pause',
  'pause',
  'save',
  'save',
  'save',
  'both',
  'kill',
  'session',
  'sign in',
  'request',
  'answer',
  'late',
  'arrive',
  'program',
  'program part',
  'refresh',
] as const

type Step = (typeof steps)[number]

/** Every sequence has one of each: edits of both editors, a program, a killed tab, an ended session, a lost network. */
const needed = [
  fc.tuple(fc.constantFrom<Step>('title', 'notes', 'insert'), fc.constant(0), fc.nat(9)),
  fc.tuple(fc.constantFrom<Step>('title', 'notes', 'insert'), fc.constant(1), fc.nat(9)),
  ...[['program', 'program part'], ['kill'], ['session'], ['request', 'answer', 'late']].map((kinds) =>
    fc.tuple(fc.constantFrom(...(kinds as Step[])), fc.nat(1), fc.nat(9)),
  ),
] as const

/** Steps with who does them and where, with the needed ones at random places. */
const randomSequence = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom<Step>(...steps), fc.nat(1), fc.nat(9)), { maxLength: 34 }),
    fc.array(fc.nat(40), { minLength: needed.length, maxLength: needed.length }),
    ...needed,
  )
  .map(([others, places, ...own]) => {
    const sequence = [...others]
    for (const [i, step] of own.entries()) sequence.splice((places[i] ?? 0) % (sequence.length + 1), 0, step)
    return sequence
  })

/** Sequences of one editor that must be among them: answers that are lost, with and without a killed tab, and saves that come late. */
const examples = [
  ['insert', 'answer', 'save', 'title', 'save'],
  ['insert', 'answer', 'save', 'pause', 'kill', 'save'],
  ['insert', 'late', 'save', 'insert', 'save', 'arrive', 'insert', 'save'],
  ['insert', 'late', 'save', 'arrive', 'program', 'title', 'save'],
  ['title', 'program', 'save', 'kill', 'save'],
  ['title', 'pause', 'session', 'save', 'kill', 'sign in', 'kill', 'save'],
].flatMap((sequence) =>
  [true, false].map((isNew): [boolean, [Step, number, number][]] => [
    isNew,
    sequence.map((step) => [step as Step, 0, 0]),
  ]),
)

describe('random sequences of two editors, a program and faults', () => {
  let site: Site
  let model: FormModel

  beforeAll(async () => {
    site = await openSite(
      [
        {
          kind: 'collectionType',
          info: { singularName: 'page', pluralName: 'pages' },
          attributes: {
            title: { type: 'string' },
            notes: { type: 'text' },
            parts: { type: 'component', component: 'page.part', repeatable: true },
          },
        },
      ],
      [
        {
          uid: 'page.part',
          attributes: {
            text: { type: 'string' },
            links: { type: 'component', component: 'page.link', repeatable: true },
          },
        },
        { uid: 'page.link', attributes: { url: { type: 'string' } } },
      ],
    )
    cookies.set(
      'bob@example.org',
      await site.hire(
        'bob',
        ['create', 'read', 'update'].map((action) => ({ action, type: uid })),
      ),
    )
    model = modelOf((await site.send(await site.signIn('ada@example.org'), 'GET', 'model')).body)
  })
  afterAll(() => site.close())

  const entries = () => site.server.octavo.entries(uid, program)

  async function programWrites(id: number, part: boolean, words: Words): Promise<void> {
    const found = await entries().findOne(id, { populate: { parts: { populate: '*' } } })
    const { title, parts } = (found?.attributes ?? { title: null, parts: [] }) as unknown as {
      readonly title: string | null
      readonly parts: readonly { readonly id: number }[]
    }
    const change = part
      ? { parts: [...parts.map((item) => ({ id: item.id })), { text: words.next() }] }
      : { title: `${title ?? ''} ${words.next()}` }
    await entries().update(id, change)
  }

  it.each(parts)(
    'part %i of them loses nothing acknowledged, and nothing typed but since the last pause',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.boolean(), randomSequence, async (isNew, sequence) => {
          const words = new Words()
          const created = isNew ? undefined : await entries().create({ title: words.next() })
          const entry = created?.id ?? 'new-1'
          const people = ['ada@example.org', 'bob@example.org'].map(
            (email, i) =>
              new EditorAtWork(site, model, { person: i + 1, uid, route: 'pages', entry }, words, email),
          )
          for (const one of people) {
            await one.signIn()
            await one.open()
          }
          for (const [step, who, n] of sequence) {
            const one = people[who]
            if (!one) continue
            if (step === 'title' || step === 'notes') one.write(step)
            else if (step === 'insert') one.insert(n)
            else if (step === 'remove') one.remove(n)
            else if (step === 'undo') one.undo()
            else if (step === 'pause') await one.pause()
            else if (step === 'save') await one.save()
            else if (step === 'both') await Promise.all(people.map((each) => each.save()))
            else if (step === 'kill') await one.kill()
            else if (step === 'session') one.endSession()
            else if (step === 'sign in') await one.signIn()
            else if (step === 'arrive') await one.arrive()
            else if (step === 'refresh') await one.entry?.refresh()
            else if (step === 'program' || step === 'program part') {
              const id = created?.id ?? one.entry?.id
              if (id !== undefined) await programWrites(id, step === 'program part', words)
            } else one.fault(step)
          }
          for (const one of people) await one.arrive()
          for (const one of [...people, ...people]) await one.finish()
          const ids = new Set(people.map((one) => one.entry?.id))
          expect(ids.size).toBe(isNew ? 2 : 1)
          const texts = await Promise.all(
            [...ids].map(async (id) =>
              JSON.stringify(await entries().findOne(id ?? 0, { populate: { parts: { populate: '*' } } })),
            ),
          )
          const found = wordsIn(texts.join())
          expect([...words.all].filter((word) => !found.includes(word) && !words.mayMiss.has(word))).toEqual(
            [],
          )
          expect(found.filter((word, i) => found.indexOf(word) !== i)).toEqual([])
        }),
        { numRuns: sequences + examples.length, endOnFailure: sequences > 100, examples },
      )
    },
    60_000 + sequences * 2_000,
  )
})
