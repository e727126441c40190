import type { RowWrite } from './write-plan.ts'

/** The row with what is stored in place of secrets: hashes of passwords, in components as well. */
export async function sealed(row: RowWrite): Promise<RowWrite> {
  const values = new Map(row.values)
  for (const [attribute, value] of row.values) {
    if (attribute.type.seal && value !== null) values.set(attribute, await attribute.type.seal(value))
  }
  const components = await Promise.all(
    row.components.map(async (component) => ({
      ...component,
      items: await Promise.all(component.items.map(sealed)),
    })),
  )
  return { ...row, values, components }
}
