/** `pnpm bench:peers`: see README.md. */
import { deepStrictEqual } from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { median, warmUpOf } from '../measure.ts'
import { contentOf, users } from './content.ts'
import { directus } from './directus.ts'
import { servedFiles } from './files.ts'
import { install } from './install.ts'
import { Limits } from './limits.ts'
import { payload } from './payload.ts'
import { type Answer, changedArticle, newArticle, type Peer, type Question, questions } from './peer.ts'
import { chart, type Figures, table } from './report.ts'
import { Running } from './running.ts'
import { octavo, strapi4, strapi5 } from './strapi.ts'

const { values: flags } = parseArgs({
  options: {
    database: { type: 'string' },
    only: { type: 'string', default: 'strapi4,strapi5,directus,payload' },
    folder: { type: 'string', default: path.join(tmpdir(), 'octavo-peers') },
    articles: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '16' },
    questions: { type: 'string', default: '' },
    'no-write': { type: 'boolean', default: false },
  },
})
if (flags.database === undefined)
  throw new Error('--database is the address of a PostgreSQL server: postgres://user@host/postgres')
const server = new URL(flags.database)
const peers = [strapi4, strapi5, directus, payload].filter(({ key }) => flags.only.split(',').includes(key))
const articles = Number(flags.articles)
const content = contentOf(articles)

const chosen = questions.filter((question) => question.includes(flags.questions))

/** Connections of questions for whose answers some servers take seconds, and how many times as long the rounds are. */
const slow: Partial<Record<Question, { readonly connections: number; readonly times: number }>> = {
  'upload a picture': { connections: 4, times: 2 },
  'log in': { connections: 4, times: 2 },
  'GraphQL: three relations deep': { connections: 2, times: 6 },
}

const { title, views } = newArticle
/** The right answers of writes. Those of reads are Octavo's. */
const expected: Partial<Record<Question, Answer>> = {
  create: { entries: [{ title, views }] },
  update: { entries: [changedArticle] },
  'upload a text': { entries: [], file: servedFiles['upload a text'] },
  'upload a picture': { entries: [], file: servedFiles['upload a picture'] },
  'log in': { entries: [], user: users[0]?.email ?? '' },
}

// `exit` handlers end the servers.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const running: Running[] = []
const absent: string[] = []
try {
  for (const peer of [octavo, ...peers]) await begin(peer)
  await compareAnswers()
  const [first] = running
  if (!first) throw new Error('Octavo has not started')
  const limits = await Limits.record(first)
  const figures = await measureAll(limits)
  const about = `${articles} articles on one PostgreSQL server, ${flags.connections} connections, ${flags.rounds} rounds of ${flags.seconds} s after a warm-up, Node ${process.versions.node}. All connections ask the same question at once, which Octavo reads with one statement for all that arrive together. The last two columns are the limits of the machine: \`node:http\` alone with the same bytes in each answer, and PostgreSQL alone with Octavo's statements, one for each answer, on ten connections. Limits of the attempts to log in are off.`
  const notes = running.flatMap(({ installed }) => installed.peer.note ?? [])
  const markdown = table([...figures, ...limits.figures(questions)], [about, ...notes].join(' '), absent)
  console.log(markdown)
  if (!flags['no-write'] && chosen.length === questions.length) {
    const folder = new URL('../../results/', import.meta.url)
    await mkdir(folder, { recursive: true })
    await writeFile(new URL('peers.md', folder), markdown)
    await writeFile(new URL('peers.svg', folder), chart(figures))
  }
} finally {
  // An error here must not hide that of the measurement.
  for (const peer of running) await peer.stop().catch((error: unknown) => console.error(error))
}

/** A peer that cannot be installed or started here is named in the report. */
async function begin(peer: Peer): Promise<void> {
  try {
    running.push(await Running.start(await install(peer, flags.folder), server, content))
    console.error(`${peer.name} is ready`)
  } catch (error) {
    if (peer === octavo) throw error
    const reason = error instanceof Error ? error.message : String(error)
    console.error(`${peer.name}: ${reason}`)
    absent.push(
      `${peer.name}: ${/^npm error (?!code)(?:notarget )?(.*)$/m.exec(reason)?.[1] ?? reason.split('\n')[0]}`,
    )
  }
}

/** Every server must give the same entries, in the same order, with the same total. */
async function compareAnswers(): Promise<void> {
  for (const question of questions) {
    const right = expected[question] ?? (await running[0]?.answer(question))
    for (const peer of running.filter(({ asked }) => asked[question]))
      deepStrictEqual(
        await peer.answer(question),
        right,
        `${peer.installed.peer.name} answers "${question}" in another way`,
      )
  }
}

/** `undefined` for a server whose answers fail, which is named in the report; its other rounds count. */
async function rateOf(
  peer: Running,
  question: Question,
  { round, seconds, connections }: { round: number; seconds: number; connections: number },
): Promise<number | undefined> {
  const { name } = peer.installed.peer
  try {
    await peer.load(question, warmUpOf(round, seconds), connections, true)
    return (await peer.load(question, seconds, connections)).rate
  } catch (error) {
    if (peer.installed.peer === octavo) throw error
    const reason = error instanceof Error ? error.message : String(error)
    console.error(reason)
    absent.push(`${name}, a round of "${question}": ${reason}`)
    return undefined
  }
}

async function measureAll(limits: Limits): Promise<readonly Figures[]> {
  const samples = new Map<Running, Map<Question, number[]>>(
    running.map((peer) => [peer, new Map(questions.map((question) => [question, []]))]),
  )
  const { seconds, connections, rounds } = flags
  for (const question of chosen) {
    const { connections: most, times } = slow[question] ?? { connections: Number(connections), times: 1 }
    for (let round = 0; round < Number(rounds); round++) {
      // In turn, so that a slower machine affects all.
      for (const peer of running.filter(({ asked }) => asked[question])) {
        const rate = await rateOf(peer, question, {
          round,
          seconds: Number(seconds) * times,
          connections: most,
        })
        if (rate === undefined) continue
        samples.get(peer)?.get(question)?.push(rate)
        console.error(`${question}: ${peer.installed.peer.name} ${Math.round(rate)}`)
      }
      await limits.measure(question, Number(seconds), most)
    }
  }
  return Promise.all(
    running.map(async (peer) => ({
      name: peer.installed.peer.name,
      megabytes: peer.installed.megabytes,
      memory: await peer.memory(),
      work: peer.installed.peer.work,
      questions: questions.map((question) => ({ rate: median(samples.get(peer)?.get(question) ?? []) })),
    })),
  )
}
