import { allRows, type RowWrite } from './write-plan.ts'

/** Whether a row or a component in it has a value to hash. */
const hasSecrets = (row: RowWrite): boolean =>
  allRows(row).some(({ values }) => [...values.keys()].some(({ type }) => type.hash))

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
