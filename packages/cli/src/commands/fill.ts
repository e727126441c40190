import { createOctavo, type Octavo, OctavoError, sql, unrestricted } from '@octavo/core'
import { didYouMean, neverFilled, type UnfilledAttribute, unfilledAttributes } from '@octavo/core/internal'
import { type ContentType, definePlugin, type Plugin, type ScalarAttribute } from '@octavo/core/plugin'
import { octavoOptions } from '@octavo/server'
import { counted } from '../counted.ts'
import { createLogger } from '../logger.ts'
import { progress } from '../progress.ts'
import { type CommonFlags, configured } from '../server-options.ts'
import { UsageError } from '../usage-error.ts'

export interface FillFlags extends CommonFlags {
  readonly value?: string
  readonly dryRun?: true
}

/** Entries that are written in one transaction. */
const batch = 200

/** An attribute as a person writes it, `articles.summary`, with its place in the model. */
interface Filled {
  readonly type: ContentType
  readonly attribute: ScalarAttribute
}

/**
 * `octavo migrate fill [ATTRIBUTE]`: writes a value into all entries that have none, in batches, as updates with the checks and the hooks of
 * every write. Without an attribute it lists those that lack values.
 */
export async function fill(named: string | undefined, flags: FillFlags): Promise<void> {
  const { options } = await configured(flags, await createLogger(flags))
  let filled: Filled | undefined
  const octavo = await createOctavo(
    octavoOptions({ ...options, plugins: [...(options.plugins ?? []), fillPlugin(() => filled)] }),
  )
  try {
    if (named === undefined) {
      if (flags.value !== undefined)
        throw new UsageError('--value needs an attribute: octavo migrate fill articles.summary --value …')
      console.log(listOf(await unfilledAttributes(octavo.store, octavo.registry)))
      return
    }
    filled = attributeOf(octavo, named)
    await fillOne(octavo, filled, flags)
  } finally {
    await octavo.close()
  }
}

async function fillOne(octavo: Octavo, { type, attribute }: Filled, flags: FillFlags): Promise<void> {
  const name = `${type.uid}.${attribute.name}`
  const value = filledValue(attribute, flags.value, name)
  const lacking = (after: number, limit: number) =>
    octavo.store.run(
      sql`select "id" from ${sql.id(type.table)} where "id" > ${after} and ${sql.id(attribute.column)} is null order by "id" limit ${limit}`,
    )
  const [row] = await octavo.store.run(
    sql`select count(*) as "n" from ${sql.id(type.table)} where ${sql.id(attribute.column)} is null`,
  )
  const total = Number(row?.n)
  if (total === 0) return console.log(`${name}: every entry has a value`)
  if (attribute.definition.unique === true && total > 1)
    throw new UsageError(
      `${name} is unique, and ${total} entries have no value: one value cannot be that of all. Fill them with SQL.`,
    )
  if (flags.dryRun) return console.log(`${name}: ${counted(total, 'entry', 'entries')} would get a value`)
  const bar = await progress()
  let done = 0
  try {
    /** Up to this id, entries are written one by one: some of their batch are gone. */
    let until = 0
    for (let last = 0; ; ) {
      const ids = (await lacking(last, last < until ? 1 : batch)).map(({ id }) => Number(id))
      const end = ids.at(-1)
      if (end === undefined) break
      const update = ids.map((id) => ({ id, [attribute.name]: value }))
      const isWritten = await writeBatch(octavo, type, update)
      if (isWritten) done += ids.length
      if (isWritten || ids.length === 1) last = end
      else until = end
      bar.update(done, total, name)
    }
  } finally {
    bar.end()
  }
  console.log(`${name}: ${counted(done, 'entry', 'entries')} filled`)
}

/** @returns `false` when somebody has deleted one of the entries since they were read: nothing is written then. */
async function writeBatch(
  octavo: Octavo,
  type: ContentType,
  update: readonly { readonly id: number }[],
): Promise<boolean> {
  try {
    await octavo.bulk({ type, update, state: unrestricted('octavo migrate fill') })
    return true
  } catch (error) {
    if (error instanceof OctavoError && error.code === 'entry/not-found') return false
    if (!(error instanceof OctavoError) || error.status !== 400) throw error
    // One value for all, so one mistake for all.
    const errors = (error.details as { readonly errors?: readonly { readonly message: string }[] }).errors
    throw new UsageError(`${type.uid}: ${errors?.[0]?.message ?? error.message}`)
  }
}

/**
 * A value that somebody else wrote in between stays: entries of a batch are locked when this runs.
 * @param filled The attribute that is filled.
 */
const fillPlugin = (filled: () => Filled | undefined): Plugin =>
  definePlugin({
    name: 'migrate-fill',
    setup(host) {
      host.hook(
        'entry:input',
        async (input, { type, id, entries }) => {
          const { attribute } = filled() as Filled // by the filter of the handler
          const row = await entries.rows(type).first({ where: { id }, select: [attribute.name] })
          if (row?.[attribute.name] === null) return input
          const { [attribute.name]: _, ...rest } = input
          return rest
        },
        { when: ({ type, by }) => by === 'caller' && type.uid === filled()?.type.uid },
      )
    },
  })

/** @throws UsageError for a name that is not an attribute with a column of its own */
function attributeOf({ registry }: Octavo, named: string): Filled {
  const dot = named.lastIndexOf('.')
  const [typeName, name] = [named.slice(0, Math.max(dot, 0)), named.slice(dot + 1)]
  const types = [...registry.contentTypes.values()].filter(({ uid }) => uid.startsWith('api::'))
  const type = types.find((one) => [one.uid, one.singularName, one.pluralName].includes(typeName))
  if (!type)
    throw new UsageError(
      `${named} is no attribute of a content-type; write it as articles.summary${didYouMean(
        typeName,
        types.map(({ pluralName }) => pluralName),
      )}`,
    )
  const attribute = type.attributes.get(name)
  const filled = [...type.attributes.values()].filter(
    (one) => one.kind === 'scalar' && !one.type.secret && !neverFilled.has(one.name),
  )
  if (attribute?.kind === 'scalar' && filled.includes(attribute)) return { type, attribute }
  const why = attribute ? 'is no attribute that this command fills' : 'does not exist'
  throw new UsageError(
    `${type.uid}.${name} ${why}${didYouMean(
      name,
      filled.map((one) => one.name),
    )}`,
  )
}

/** The given value, or the default. @throws UsageError without either */
function filledValue(
  { type, definition }: ScalarAttribute,
  given: string | undefined,
  name: string,
): unknown {
  if (given === undefined) {
    const { default: standard } = definition
    if (standard === undefined) throw new UsageError(`${name} has no default: give a value with --value`)
    return typeof standard === 'function' ? (standard as () => unknown)() : standard
  }
  // Types read texts of their values; of JSON each text would be a value.
  if (type.parameter !== 'jsonb') return given
  try {
    return JSON.parse(given)
  } catch {
    throw new UsageError(`${name}: --value must be JSON`)
  }
}

function listOf(unfilled: readonly UnfilledAttribute[]): string {
  if (unfilled.length === 0) return 'Every entry has the attributes that are required or have a default'
  return unfilled.map(unfilledLine).join('\n')
}

/** A sentence about an attribute without values, with the command that fills it. */
export function unfilledLine({ type, attribute, entries }: UnfilledAttribute): string {
  const { name, definition } = attribute
  const isRequired = definition.default === undefined
  const rows = `${counted(entries, 'entry', 'entries')} ${entries === 1 ? 'has' : 'have'} no value`
  const command = `octavo migrate fill ${type.pluralName}.${name}${isRequired ? ' --value …' : ''}`
  return `${type.uid}.${name} ${isRequired ? 'is required' : 'has a default'}, and ${rows}: ${command}`
}
