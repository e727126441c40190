/** Random rights of editors, and the data that they hide. */
import type { ContentRight, Right } from '@octavo/plugin-editors'
import fc from 'fast-check'
import { fileUid, names, typesOfModel, uidOf } from './model.ts'
import type { Rules } from './rules.ts'
import type { Row, World } from './world.ts'

const locales = fc.subarray(['en', 'fr', 'de'], { minLength: 1 })
const conditions: readonly NonNullable<ContentRight['where']>[] = [
  { createdBy: '$editor.id' },
  { createdBy: { roles: '$editor.roles' } },
  { name: 'open' },
  { $or: [{ createdBy: '$editor.id' }, { name: 'open' }] },
]

const actions = ['create', 'read', 'read', 'update', 'update', 'delete', 'publish'] as const

/** A right to one action, with or without limits. */
function rightTo(uid: string, action: ContentRight['action']): fc.Arbitrary<ContentRight> {
  const attributes = Object.keys(typesOfModel.get(uid) ?? {}).filter((name) => name !== 'owner')
  const paths = attributes.flatMap((name) => (name === 'parts' ? ['parts', 'parts.label'] : [name]))
  const hasFields = uid !== fileUid && ['create', 'read', 'update'].includes(action)
  return fc
    .record({
      fields: fc.option(fc.subarray(paths, { minLength: 1 }), { nil: undefined }),
      locales: fc.option(locales, { nil: undefined }),
      where: fc.option(fc.constantFrom(...conditions), { nil: undefined }),
    })
    .map((limits) => ({
      action,
      type: uid,
      ...(hasFields && limits.fields && { fields: limits.fields }),
      ...(uid === uidOf('page') && limits.locales && { locales: limits.locales }),
      ...(limits.where && { where: limits.where }),
    }))
}

/** Often none: a right of one role would hide that the other lacks it. */
const rightsTo = (uid: string): fc.Arbitrary<readonly ContentRight[]> =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    {
      weight: 3,
      arbitrary: fc
        .subarray(
          actions.filter((action) => action !== 'publish' || ['article', 'page'].map(uidOf).includes(uid)),
          { minLength: 1 },
        )
        .chain((chosen) => fc.tuple(...chosen.map((action) => rightTo(uid, action)))),
    },
  )

/** The rights of two roles. */
export const roleRights: fc.Arbitrary<readonly (readonly Right[])[]> = fc
  .tuple(
    fc.tuple(...[...names.map(uidOf), fileUid].map(rightsTo)),
    fc.oneof(fc.constant([]), fc.tuple(...[...names.map(uidOf), fileUid].map(rightsTo))),
  )
  .map((roles) => roles.map((rights) => rights.flat()))

/** Whether an editor may update something of a type. */
export const updates =
  (roles: readonly (readonly Right[])[]) =>
  (name: string): boolean =>
    roles.flat().some((right) => right.action === 'update' && right.type === uidOf(name))

/** Statements that change what no right reads: `~` is 1 in one database and 2 in the other. No right reaches more or fewer entries then. */
export function hiding(rules: Rules, world: World): string {
  const statements: string[] = []
  for (const uid of [...names.map(uidOf), fileUid]) {
    const table = uid === fileUid ? 'files' : `${uid.split('.')[1]}s`
    for (const row of world.get(uid)?.values() ?? []) {
      const reach = reachOf(rules, uid, row, world)
      if (row.id === 5 && !reach.includes('true')) {
        statements.push(`delete from "${table}" where "id" = 5 and ~ = 2`)
        continue
      }
      for (const name of uid === fileUid ? ['caption'] : ['name', 'secret']) {
        if (rules.allows('find', { uid, row, name }, world)) continue
        // A value that all localizations share tells by a write whether it is the same: a known limit.
        if (uid === uidOf('page') && name === 'secret' && rules.allows('update', { uid, row, name }, world))
          continue
        const others = ['hidden 1', 'hidden 2'].map((value) => ({ ...row, [name]: value }))
        if (others.every((other) => reachOf(rules, uid, other, world) === reach))
          statements.push(`update "${table}" set "${name}" = 'hidden ~' where "id" = ${row.id}`)
      }
    }
  }
  return statements.join(';')
}

const reachOf = (rules: Rules, uid: string, row: Row, world: World): string =>
  [
    ...['find', 'create', 'update', 'delete'].map((action) => rules.allows(action, { uid, row }, world)),
    rules.allows('update', { uid, row, name: 'publishedAt' }, world),
  ].join()
