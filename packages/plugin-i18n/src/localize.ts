import type { Octavo, RequestState } from '@octavo/core'
import { isObject, storedInput } from '@octavo/core/internal'
import { type ContentType, type EntryInput, readId } from '@octavo/core/plugin'
import type { RouteContext, Routes } from '@octavo/server'
import { localizedParts } from './content-type.ts'
import { type LocalizationSource, noSource, sourceChanged } from './localization.ts'
import { problem } from './problems.ts'

export const canBeLocalized = (type: ContentType): boolean =>
  type.uid.startsWith('api::') && localizedParts(type) !== undefined

/** `/:plural/:id/localizations`, and the same for a single type. */
export const localizationRoute = ({ kind, singularName, pluralName }: ContentType): string =>
  kind === 'singleType' ? `/${singularName}/localizations` : `/${pluralName}/:id/localizations`

export function addLocalizationRoute(octavo: () => Octavo, type: ContentType, routes: Routes): void {
  if (!type.uid.startsWith('api::')) return
  const path = localizationRoute(type)
  if (localizedParts(type)) {
    routes.add({
      method: 'POST',
      path,
      action: `${type.uid}.createLocalization`,
      body: 'fields',
      handler: (context) => localize(octavo(), type, context),
    })
  } else {
    routes.add({
      method: 'POST',
      path,
      handler: (context) => {
        context.set('Allow', 'OPTIONS')
        throw problem('i18n/not-localized', { type: type.singularName })
      },
    })
  }
}

async function localize(octavo: Octavo, type: ContentType, context: RouteContext): Promise<void> {
  // Set by the server, which authenticates before the handler runs.
  const caller = context.state.octavo as RequestState
  const { body } = context.request
  const input: EntryInput = isObject(body) ? body : {}
  // With the option `strict`, a name that the caller may not read would be refused.
  const visible = octavo.visible({ type, action: 'create', state: caller })
  const siblings = visible.has('localizations') ? ['populate[localizations]=true'] : []
  const drafts = type.attributes.has('publishedAt') ? ['publicationState=preview'] : []
  const query = [...siblings, ...drafts].join('&')
  for (let attempt = 1; ; attempt++) {
    const localizationOf = await readSource(octavo, type, context.params.id, caller)
    const state: RequestState = { ...caller, localizationOf }
    try {
      const { data } = await octavo.write({ type, action: 'create', input, query, state })
      context.body = bare(JSON.parse(data ?? 'null') as RestEntry, readId(context.params.id))
      return
    } catch (error) {
      if (error !== sourceChanged || attempt === attempts) throw error
    }
  }
}

/** How often a source is read that others write at the same time. */
const attempts = 10

/** The entry to localize, if the caller may read it; for a single type its first entry. @throws NotFoundError */
async function readSource(
  octavo: Octavo,
  type: ContentType,
  id: string | undefined,
  state: RequestState,
): Promise<LocalizationSource> {
  const named = type.kind === 'singleType' ? undefined : readId(id)
  if (type.kind !== 'singleType' && named === undefined) throw noSource()
  const shared = localizedParts(type)?.shared ?? []
  const stored = (one: number) => storedInput(type, one, shared, octavo.registry, octavo.store)
  // Nothing of the values is shown to a caller who may not read the entry, so both are read at the same time.
  const [found, early] = await Promise.all([
    sourceId(octavo, type, named, state),
    named === undefined ? undefined : stored(named),
  ])
  const source = early ?? (await stored(found))
  if (!source) throw noSource()
  return { uid: type.uid, id: found, version: source.version, shared: source.input }
}

async function sourceId(
  octavo: Octavo,
  type: ContentType,
  named: number | undefined,
  state: RequestState,
): Promise<number> {
  const { data } = await octavo.read({
    type,
    action: 'createLocalization',
    kind: 'one',
    query: 'fields=id&locale=all&publicationState=preview',
    lenient: true,
    state,
    ...(named !== undefined && { id: named }),
  })
  if (data === undefined) throw noSource()
  return (JSON.parse(data) as RestEntry).id
}

interface RestEntry {
  readonly id: number
  readonly attributes: Readonly<Record<string, unknown>>
}

/** The entry without envelopes, with its siblings: the one that the path names, then the others, the newest first. */
function bare({ id, attributes }: RestEntry, named: number | undefined): object {
  const { localizations, ...fields } = attributes
  const siblings = (localizations as { readonly data: readonly RestEntry[] } | undefined)?.data ?? []
  const isNamed = (sibling: RestEntry): number => Number(sibling.id === named)
  const inOrder = siblings.toSorted((one, other) => isNamed(other) - isNamed(one) || other.id - one.id)
  return {
    id,
    ...fields,
    localizations: inOrder.map((sibling) => ({ id: sibling.id, ...sibling.attributes })),
  }
}
