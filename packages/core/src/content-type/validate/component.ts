import { checkCounts } from '../attribute-types/definition-checks.ts'
import type { AttributeDefinition } from '../definition/definition.ts'
import type { ComponentDraft, Draft } from '../draft/drafts.ts'
import { show } from '../draft/names.ts'
import type { ComponentAttribute, ZoneAttribute } from '../model.ts'
import { hintOf, meantComponent } from '../nearest.ts'
import type { Surroundings } from './surroundings.ts'

export function component(
  draft: Draft,
  name: string,
  definition: AttributeDefinition,
  { components }: Surroundings,
): ComponentAttribute | undefined {
  const path = ['attributes', name]
  for (const mistake of checkCounts(definition)) draft.report([...path, ...mistake.path], mistake.message)
  const uid = componentUid(draft, [...path, 'component'], definition.component, components)
  if (uid === undefined) return undefined
  return {
    kind: 'component',
    name,
    definition,
    private: definition.private === true,
    component: uid,
    repeatable: definition.repeatable === true,
  }
}

export function zone(
  draft: Draft,
  name: string,
  definition: AttributeDefinition,
  { components, emptyZone }: Surroundings,
): ZoneAttribute | undefined {
  const path = ['attributes', name]
  for (const mistake of checkCounts(definition)) draft.report([...path, ...mistake.path], mistake.message)
  const listed = definition.components
  if (!Array.isArray(listed)) {
    draft.report([...path, 'components'], 'must list the components that it takes, such as ["shared.quote"]')
    return undefined
  }
  // The reference's editor leaves an empty list where it deletes the last component of a zone, and the server starts with it.
  if (listed.length === 0) {
    emptyZone(draft, name)
    return undefined
  }
  const uids: string[] = []
  for (const [i, item] of listed.entries()) {
    const here = [...path, 'components', String(i)]
    const uid = componentUid(draft, here, item, components)
    if (uid === undefined) continue
    if (uids.includes(uid)) draft.report(here, `${show(uid)} is listed twice`)
    uids.push(uid)
  }
  return {
    kind: 'zone',
    name,
    definition,
    private: definition.private === true,
    components: Object.freeze(uids),
  }
}

function componentUid(
  draft: Draft,
  path: readonly string[],
  uid: unknown,
  components: ReadonlyMap<string, ComponentDraft>,
): string | undefined {
  if (typeof uid === 'string' && components.has(uid)) return uid
  draft.report(
    path,
    typeof uid === 'string'
      ? `there is no component ${show(uid)}${hintOf(meantComponent(uid, components.keys()))}`
      : `must be the uid of a component, such as shared.seo, not ${show(uid)}`,
  )
  return undefined
}
