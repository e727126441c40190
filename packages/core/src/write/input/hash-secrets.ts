import type { RowWrite } from './write-plan.ts'

/** Whether a row or a component in it has a value to hash. */
function hasSecrets({ values, components }: RowWrite): boolean {
  for (const { type } of values.keys()) if (type.hash) return true
  return components.some(({ items }) => items.some(hasSecrets))
}

/** Replaces secrets by their hashes, including those in components; a row without any is the same object. */
export async function hashSecrets(row: RowWrite): Promise<RowWrite> {
  if (!hasSecrets(row)) return row
  const values = new Map(row.values)
  for (const [attribute, value] of row.values) {
    if (attribute.type.hash && value !== null) values.set(attribute, await attribute.type.hash(value))
  }
  const components = await Promise.all(
    row.components.map(async (component) => ({
      ...component,
      items: await Promise.all(component.items.map(hashSecrets)),
    })),
  )
  return { ...row, values, components }
}
