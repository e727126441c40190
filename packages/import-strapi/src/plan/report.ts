import type { Registry } from '@octavo/core/plugin'
import type { LeftOutPart } from '../model/definitions.ts'
import { editorUid, fileUid, folderUid, isOwnType, whyLeftBehind } from '../model/uids.ts'
import type { Outline } from '../source/source.ts'
import { type LeftRight, planEditors } from './editors.ts'
import type { Problem } from './problem.ts'
import type { Scan } from './scan.ts'
import {
  type LeftOfRole,
  type LeftOfToken,
  rolesLeft,
  type Target,
  tokensLeft,
} from './unused-permissions.ts'
import { type LeftOfWebhook, planWebhooks } from './webhooks.ts'

/** A content-type of the source. */
export interface PlannedType {
  readonly uid: string
  /** Entries in the source. */
  readonly entries: number
  /** Entries to import, without those that have a problem. */
  readonly comes: number
  /** Problems with its entries and their links. */
  readonly problems: number
  /** The reason why entries are not imported, or their other form. */
  readonly note: string
}

/** The plan of an import. */
export interface Plan {
  /** The version of Strapi that wrote an archive. */
  readonly version: string | undefined
  readonly types: readonly PlannedType[]
  /** Parts of the definitions that have no counterpart. */
  readonly leftOut: readonly LeftOutPart[]
  /** Rows with a value of an attribute that the definitions do not have, by attribute. */
  readonly attributesLeftOut: Readonly<Record<string, number>>
  /** Links of attributes that the definitions do not have, by attribute. */
  readonly linksLeftOut: Readonly<Record<string, number>>
  /** Links that repeat another one or are more than the relation takes, by attribute. The first counts. */
  readonly linksRepeated: Readonly<Record<string, number>>
  /** Number of links of deleted entries, which Strapi leaves behind; they are dropped. */
  readonly linksDropped: number
  /** The first of them. */
  readonly firstDropped: readonly Problem[]
  /** Number of problems by kind. */
  readonly problems: Readonly<Record<string, number>>
  /** The first of them. */
  readonly firstProblems: readonly Problem[]
  /** Numbers of rows of the admin panel that are not imported, by kind, of those that the source has. */
  readonly leftBehind: Readonly<Record<string, number>>
  /** Whether the source lacks administrators, their roles, API tokens and releases, as an archive does. */
  readonly withoutPanel: boolean
  /** Whether the source lacks settings, which every project has. */
  readonly withoutSettings: boolean
  readonly apiTokens: number
  /** Permissions of API tokens for types, plugins and controllers that are not there. */
  readonly tokensLeft: readonly LeftOfToken[]
  /** Permissions of roles of users for endpoints that are not there. */
  readonly rolesLeft: readonly LeftOfRole[]
  /** Webhooks that come. */
  readonly webhooks: number
  /** Webhooks, or parts of them, that do not come or need a setting. */
  readonly webhooksLeft: readonly LeftOfWebhook[]
  /** Administrators, who come as editors. */
  readonly editors: number
  /** Permissions of their roles that do not come. */
  readonly rightsLeft: readonly LeftRight[]
  /** Guesses about the schemas. */
  readonly notes: readonly string[]
}

const listedProblems = 50

export function planOf(
  outline: Outline,
  target: Target,
  found: Scan,
  leftOut: readonly LeftOutPart[],
  takesWebhooks: boolean,
): Plan {
  const { registry } = target
  const problemsOf = new Map<string, number>()
  for (const { type, n } of found.scratch.all(
    `select type, count(*) as n from problem where kind <> 'dangling link' group by type`,
  ))
    problemsOf.set(String(type), Number(n))
  const skipped = found.skipped.counts()
  const types = [...found.counts].sort().map(([uid, entries]): PlannedType => {
    const note = noteOf(uid, registry)
    // Folders are rows of the plugin that has files.
    const owner = uid === folderUid ? fileUid : uid
    const known = registry.contentTypes.has(owner) && whyLeftBehind(uid) === undefined
    return {
      uid,
      entries,
      comes: known ? entries - (skipped.get(uid) ?? 0) : 0,
      problems: problemsOf.get(uid) ?? 0,
      note,
    }
  })
  const editors = planEditors(outline.editors, registry)
  const webhooks = planWebhooks(takesWebhooks ? outline.webhooks : [])
  return {
    version: outline.version,
    types,
    leftOut,
    attributesLeftOut: Object.fromEntries(found.attributesLeftOut),
    linksLeftOut: Object.fromEntries(found.links.leftOut),
    linksRepeated: Object.fromEntries(found.links.repeated),
    linksDropped: found.problems.droppedLinks,
    firstDropped: [...found.problems.dropped(listedProblems)],
    problems: found.problems.counts(),
    firstProblems: [...found.problems.all(listedProblems)],
    leftBehind: leftBehindOf(outline, registry, takesWebhooks),
    withoutPanel: outline.leftBehind === undefined,
    withoutSettings: outline.settings.length === 0,
    editors: editors.people.length,
    rightsLeft: editors.left,
    apiTokens: outline.apiTokens.length,
    tokensLeft: tokensLeft(outline.apiTokens, target),
    rolesLeft: rolesLeft(found.small, found.links.roles, target),
    webhooks: webhooks.items.length,
    webhooksLeft: webhooks.left,
    notes: outline.notes,
  }
}

/** With editors, administrators and their roles come; with webhooks, the webhooks. */
function leftBehindOf(
  { editors, leftBehind, webhooks }: Outline,
  registry: Registry,
  takesWebhooks: boolean,
): Plan['leftBehind'] {
  const come = [
    ...(editors && registry.contentTypes.has(editorUid) ? ['administrators', 'roles of administrators'] : []),
    ...(takesWebhooks ? ['webhooks'] : []),
  ]
  const all = leftBehind ?? (webhooks.length > 0 ? { webhooks: webhooks.length } : {})
  return Object.fromEntries(Object.entries(all).filter(([what]) => !come.includes(what)))
}

function noteOf(uid: string, registry: Registry): string {
  const why = whyLeftBehind(uid)
  if (why !== undefined) return why
  if (uid === folderUid) return registry.contentTypes.has(fileUid) ? '' : 'its plugin is not there'
  if (!registry.contentTypes.has(uid))
    return isOwnType(uid) ? 'its plugin is not there' : 'the definitions do not have it'
  return ''
}

/** The plan as text: a table of content-types, then the other notes. */
export function planText(plan: Plan): string {
  const rows = [
    ['content-type', 'entries', 'come', 'problems', ''],
    ...plan.types.map(({ uid, entries, comes, problems, note }) => [
      uid,
      String(entries),
      String(comes),
      problems === 0 ? '' : String(problems),
      note,
    ]),
  ]
  const problems = Object.values(plan.problems).reduce((sum, n) => sum + n, 0)
  const sections = [
    table(rows),
    ...leftOutLists(plan),
    list(
      `${plan.linksDropped} links of deleted entries, which Strapi leaves in its tables, are dropped; these are the first:`,
      plan.firstDropped.map(({ type, id, message }) => `${type} ${id}: ${message}`),
    ),
    list('Stay behind:', counts(plan.leftBehind)),
    plan.editors === 0 ? '' : `${plan.editors} administrators come as editors, with their roles.`,
    list(
      plan.rightsLeft.length === 0 ? '' : 'Rights that stay off:',
      plan.rightsLeft.map(({ role, action, why }) => `${role}: ${action} ${why}`),
    ),
    plan.apiTokens === 0
      ? ''
      : `${plan.apiTokens} API tokens come; they are accepted with the API_TOKEN_SALT of the project.`,
    list(
      plan.tokensLeft.length === 0 ? '' : 'Permissions of API tokens that allow nothing here:',
      plan.tokensLeft.map(({ token, action }) => `${token}: ${action}`),
    ),
    list(
      plan.rolesLeft.length === 0
        ? ''
        : "Permissions of roles for endpoints that are not here, such as those of the project's own code:",
      plan.rolesLeft.map(({ role, action }) => `${role}: ${action}`),
    ),
    plan.webhooks === 0
      ? ''
      : `${plan.webhooks} webhooks come, for all content-types; requests are signed, and the desk shows a new secret.`,
    list(
      plan.webhooksLeft.length === 0 ? '' : 'Of webhooks:',
      plan.webhooksLeft.map(({ webhook, why }) => `${webhook}: ${why}`),
    ),
    plan.withoutPanel
      ? 'Administrators, their roles, API tokens and releases are not in an archive; a database has them.'
      : '',
    plan.withoutSettings
      ? 'The source has no settings, as after strapi export --only content or --exclude config: the default locale, email templates, sign-in providers, layouts and webhooks do not come.'
      : '',
    list(
      'Guessed from the tables; give the components of the project with --content to be sure:',
      plan.notes,
    ),
    list(
      `${problems} problems, of which these are the first; --skip-invalid leaves such entries and links out:`,
      plan.firstProblems.map(({ type, id, message }) => `${type} ${id}: ${message}`),
    ),
  ]
  return sections.filter((section) => section !== '').join('\n\n')
}

const leftOutLists = (plan: Plan): readonly string[] => [
  list(
    'Without a counterpart here:',
    plan.leftOut.map(({ what, why }) => `${what}: ${why}`),
  ),
  list(
    'Values of attributes that the definitions do not have, which do not come:',
    counts(plan.attributesLeftOut),
  ),
  list('Links of attributes that the definitions do not have:', counts(plan.linksLeftOut)),
  list(
    'Links that occur more than once, or are more than the relation takes; the first counts:',
    counts(plan.linksRepeated),
  ),
]

const counts = (numbers: Readonly<Record<string, number>>): readonly string[] =>
  Object.entries(numbers).map(([what, n]) => `${what}: ${n}`)

const list = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : [title, ...lines.map((line) => `  ${line}`)].join('\n')

/** Columns as wide as their widest cell; numbers to the right. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, i) => (/^\d+$/.test(cell) ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
