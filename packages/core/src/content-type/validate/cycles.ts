import type { Attribute } from '../model.ts'
import type { ComponentDraft } from './draft.ts'

/**
 * Finds components that could never be filled, since each requires another of their ring: a required component, or a
 * required list (which may not be empty) or zone of nothing else. Rings with an optional link are fine: they end where
 * the writer leaves it out.
 */
export function checkCycles(components: ReadonlyMap<ComponentDraft, ReadonlyMap<string, Attribute>>): void {
  const open = new Map([...components].map(([draft, attributes]) => [draft.uid, { draft, attributes }]))
  /** The first requirement that leads to nothing but open ones. */
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

/** Of which components an entry must have one; `undefined` when it may go without. */
function needs(attribute: Attribute): readonly string[] | undefined {
  if (attribute.definition.required !== true) return undefined
  if (attribute.kind === 'component') return [attribute.component]
  return attribute.kind === 'zone' ? attribute.components : undefined
}
