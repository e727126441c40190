import type { AttributeDefinition, Octavo, RequestState } from '@octavo/core'
import { checkOptions, isLater, isWriteAction } from '@octavo/core/internal'
import {
  allLimits,
  anyOf,
  type Condition,
  type ContentType,
  compare,
  type Definitions,
  definePlugin,
  type EntryInput,
  InvalidValue,
  isNull,
  isSet,
  type Model,
  type NodeView,
  not,
  now,
  type Plugin,
  type PluginHost,
  problem,
  readId,
  type ScalarAttribute,
} from '@octavo/core/plugin'
import { envelope, type Routes } from '@octavo/server'
import { addDraftCommands } from './commands.ts'
import { describeDrafts } from './describe.ts'
import { publishExisting } from './existing.ts'
import { FormerDrafts, refuseFormer } from './former-drafts.ts'
import { type DraftPublishOptions, optionKeys } from './options.ts'
import { reportPublication } from './publication.ts'
import type { PublicationState } from './typed-drafts.ts'

export type { DraftPublishOptions } from './options.ts'

const reads: ReadonlySet<NodeView['use']> = new Set(['root', 'populate', 'filter', 'sort'])

/**
 * Hides drafts unless the client requests them. Source: docs/contract/reading.md#publicationstate and
 * docs/contract/writing.md#drafts.
 */
export const draftPublish = (options: DraftPublishOptions = {}): Plugin =>
  definePlugin({
    name: 'draft-publish',
    guards: 'drafts and entries that are to be published later become visible',
    // Permissions restrict the client's input, not the values that this plugin adds; a localization sets its own `publishedAt`.
    after: ['users-permissions', 'i18n'],
    setup(host) {
      checkOptions(options, optionKeys, 'draftPublish')
      const octavo = host.start((octavo) => octavo)
      const { scheduled = true } = options
      host.hook('definitions:extend', withPublishedAt(octavo, scheduled))
      const isPublic = scheduled ? isPast : isSet
      hideDrafts(host, options, isPublic)
      writeDrafts(host, octavo)
      nameChanges(host, octavo, isPublic, scheduled)
      host.actions((registry) => [...registry.contentTypes.values()].filter(hasActions).flatMap(actionsOf))
      host.hook('server:describe', (schemas) => describeDrafts(schemas, hasDrafts, hasActions))
      reportPublication(host, octavo, hasDrafts, scheduled)
      const former = new FormerDrafts(host)
      host.forEachType(async (type) => {
        await publishExisting(type, publishedAtOf(type), host)
        await former.note(type, hasDrafts(type))
      })
      host.hook('octavo:start', (octavo) => former.refuseHidden(octavo))
      host.hook('schema:check', (check) => refuseFormer(check, hasDrafts))
      addDraftCommands(host, former)
      if (options.actions)
        host.hook('server:routes', (routes) => routes.forEachType((type) => addActions(octavo, type, routes)))
    },
  })

/** Drafts are read with `publicationState=preview` only, and on request by their id. */
function hideDrafts(
  host: PluginHost,
  { draftsById = 'hide' }: DraftPublishOptions,
  isPublic: IsPublic,
): void {
  const state = host.param<PublicationState>('publicationState', {
    read: (value) => {
      if (value === 'live' || value === 'preview') return value
      throw new InvalidValue('live or preview')
    },
    default: 'live',
    scope: 'inherit',
  })
  host.hook('query:node', (node, context) => {
    const attribute = publishedAtOf(node.model)
    // Filters and sorts use the entries that `populate` would return; writes may name and change drafts like other entries.
    if (!attribute || !reads.has(node.use) || node.param(state) === 'preview') return undefined
    // The answer of a write contains the entry, draft or not.
    if (
      node.use === 'root' &&
      (isWriteAction(context.action) || (context.action === 'findOne' && draftsById === 'show'))
    )
      return undefined
    return isPublic(attribute)
  })
}

/** New entries are published unless the input says otherwise; drafts may lack values. */
function writeDrafts(host: PluginHost, octavo: () => Octavo): void {
  const writes = { types: hasDrafts, database: false } as const
  host.hook(
    'entry:input',
    (input, { action }) =>
      action === 'create' && input.publishedAt === undefined
        ? { ...input, publishedAt: timeOf(octavo()) }
        : input,
    writes,
  )
  host.hook(
    'entry:strictness',
    ({ type, input: { publishedAt } }) => {
      if (publishedAt !== undefined) return publishedAt === null ? 'lenient' : 'complete'
      const attribute = publishedAtOf(type)
      return attribute && { lenientIf: not(isSet(attribute)) }
    },
    writes,
  )
}

/**
 * Names the updates after which an entry is public and was not before (`published`), or is to be later (`scheduled`), and those after which it no longer is
 * (`unpublished`), or is to be again later (`postponed`).
 */
function nameChanges(host: PluginHost, octavo: () => Octavo, isPublic: IsPublic, scheduled: boolean): void {
  const stateIn = ({ publishedAt }: EntryInput, attribute: ScalarAttribute) => {
    if (publishedAt === null) return 'draft'
    if (!scheduled) return 'public'
    const later = isLater(attribute, publishedAt, octavo().store.now())
    return later === undefined ? undefined : later ? 'later' : 'public'
  }
  const isHidden: IsPublic = (attribute) => anyOf([isNull(attribute), not(isPublic(attribute))])
  for (const [to, from, name] of [
    ['draft', isPublic, 'unpublished'],
    ['later', isHidden, 'scheduled'],
    ['later', isPublic, 'postponed'],
    ['public', isHidden, 'published'],
  ] as const)
    host.hook(
      'entry:change',
      ({ type, input }) => {
        const attribute = publishedAtOf(type)
        return attribute && stateIn(input, attribute) === to ? { name, if: from(attribute) } : undefined
      },
      { types: hasDrafts, when: ({ input }) => input.publishedAt !== undefined },
    )
}

const isDraftable = (options: Readonly<Record<string, unknown>> | undefined): boolean =>
  options?.draftAndPublish === true

/** A data file without this key publishes the entry, as a create does; an export always has the key. */
const publishedAt: AttributeDefinition = {
  type: 'datetime',
  countedBy: 'presence',
  searchable: false,
}

/** @param octavo Started when a default is needed. @param scheduled Whether other plugins describe scheduled publications. */
const withPublishedAt =
  (octavo: () => Octavo, scheduled: boolean) =>
  (definitions: Definitions): Definitions => {
    const added = {
      publishedAt: { ...publishedAt, publicFrom: scheduled, default: () => timeOf(octavo()) },
    }
    return {
      ...definitions,
      contentTypes: definitions.contentTypes.map((type) =>
        isDraftable(type.options) ? { ...type, attributes: { ...type.attributes, ...added } } : type,
      ),
    }
  }

/** By the database's clock, which decides in reads whether an entry is published. */
const timeOf = ({ store }: Octavo): string => store.now().toISOString()

/** The attribute that this plugin added; `undefined` for types without drafts. */
function publishedAtOf(model: Model): ScalarAttribute | undefined {
  const attribute =
    model.kind === 'component' || !isDraftable(model.options)
      ? undefined
      : model.attributes.get('publishedAt')
  return attribute?.kind === 'scalar' ? attribute : undefined
}

/** Whether an entry is public, by its `publishedAt`. */
type IsPublic = (attribute: ScalarAttribute) => Condition

const isPast = (attribute: ScalarAttribute): Condition => compare(attribute, '$lte', now)

const hasDrafts = (type: ContentType): boolean => publishedAtOf(type) !== undefined

const publishActions = ['publish', 'unpublish'] as const

/** Each grants the action on the entries that it is granted for, with all limits of permissions. */
const actionsOf = ({ uid }: ContentType) =>
  publishActions.map((as) => ({
    name: `${uid}.${as}`,
    entries: { type: uid, as },
    enforces: allLimits,
  }))

const hasActions = (type: ContentType): boolean =>
  hasDrafts(type) && type.kind === 'collectionType' && type.uid.startsWith('api::')

/** The two actions of a type that has drafts. They are updates with their own action names for permissions. */
function addActions(octavo: () => Octavo, type: ContentType, routes: Routes): void {
  if (!hasActions(type)) return
  for (const action of publishActions) {
    routes.add({
      method: 'POST',
      path: `/${type.pluralName}/:id/actions/${action}`,
      action: `${type.uid}.${action}`,
      handler: async (context) => {
        const input = { publishedAt: action === 'publish' ? timeOf(octavo()) : null }
        const id = readId(context.params.id)
        if (id === undefined) throw problem('entry/not-found')
        // Set by the server, which authenticates before the handler runs.
        const state = context.state.octavo as RequestState
        const query = context.querystring
        const { data } = await octavo().write({ type, action: 'update', id, input, query, state })
        if (data === undefined) throw problem('entry/not-found')
        context.type = 'application/json'
        context.body = envelope(data)
      },
    })
  }
}
