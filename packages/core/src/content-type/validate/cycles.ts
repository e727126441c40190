import type { ComponentDraft } from '../draft/drafts.ts'
import type { Attribute } from '../model.ts'

/**
 * Reports components that can never be complete, since each requires another one of the cycle: as a required component, a
 * required list (which may not be empty) or a zone of only such components. Cycles with an optional link are valid: they
 * end where the link is empty.
 */
export function checkCycles(components: ReadonlyMap<ComponentDraft, ReadonlyMap<string, Attribute>>): void {
  const open = new Map([...components].map(([draft, attributes]) => [draft.uid, { draft, attributes }]))
  /** The first requirement whose components are all incomplete. */
  const obstacle = (attributes: ReadonlyMap<string, Attribute>): Attribute | undefined =>
    [...attributes.values()].find((attribute) => needs(attribute)?.every((uid) => open.has(uid)))

  for (let settled = true; settled; ) {
    settled = false
    for (const [uid, { attributes }] of open) {
      if (obstacle(attributes)) continue
      open.delete(uid)
      settled = true
    }
  }
  for (const { draft, attributes } of open.values()) {
    const attribute = obstacle(attributes)
    if (!attribute) continue
    const through = needs(attribute)?.join(', ') ?? ''
    draft.report(
      ['attributes', attribute.name],
      `requires ${through}, which requires ${draft.uid} again without end: no entry could ever be complete; make one of them optional`,
    )
  }
}

/** The components of which one is required; `undefined` when the attribute is optional. */
function needs(attribute: Attribute): readonly string[] | undefined {
  if (attribute.definition.required !== true) return undefined
  if (attribute.kind === 'component') return [attribute.component]
  return attribute.kind === 'zone' ? attribute.components : undefined
}
