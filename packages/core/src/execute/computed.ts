import type { ComputedAttribute } from '../content-type/model.ts'
import { isObject } from '../kinds-of-values.ts'
import { nameOf, type PlanNode } from '../plan/plan.ts'
import { nodesBelow, nodesOf } from '../plan/walk.ts'
import { PluginError } from '../plugin/plugin-error.ts'

type Values = Record<string, unknown>

/** Whether the entries of a plan have values of functions, at any depth. */
export const hasFunctions = (node: PlanNode): boolean =>
  functionsOf(node).length > 0 || nodesBelow(node).some(hasFunctions)

const functionsOf = ({ select }: PlanNode): readonly ComputedAttribute[] =>
  select.filter(
    (attribute) => attribute.kind === 'computed' && attribute.compute.kind === 'function',
  ) as ComputedAttribute[]

/**
 * Replaces the values that functions compute in the JSON text of an answer: `{"words":{"body":"a b"}}` → `{"words":2}`. Numbers
 * remain as they are written, such as those of JSON attributes that JavaScript cannot represent.
 *
 * @param text An entry, or a list of entries.
 * @throws PluginError for a function that throws or returns a value of another type; Error for one of a definition
 */
export function withFunctions(text: string, root: PlanNode): string {
  const parsed = parse(text)
  for (const entry of listOf(parsed)) replaceIn(entry, root)
  return JSON.stringify(parsed)
}

/** Replaces the values of an entry or a component, and of those in it. */
function replaceIn(item: Values, node: PlanNode): void {
  const isFlat = node.model.kind === 'component' || node.flat === true
  const values = isFlat ? item : (item.attributes as Values) // the format of compile
  for (const attribute of functionsOf(node))
    values[attribute.name] = computedValue(attribute, values[attribute.name] as Values) // the format of compile
  for (const child of node.children) {
    const value = values[nameOf(child)]
    if (child.kind === 'relation')
      for (const entry of listOf(child.node.flat || !isObject(value) ? value : value.data))
        replaceIn(entry, child.node)
    else if (child.kind === 'component') for (const part of listOf(value)) replaceIn(part, child.node)
    else if (child.kind === 'zone')
      for (const part of listOf(value)) {
        const found = child.nodes.find(({ model }) => model.uid === part.__component)
        if (found) replaceIn(part, found)
      }
    else if (child.kind === 'uses')
      for (const entry of listOf(value)) {
        const found = nodesOf(child).find(({ model }) => model.uid === entry.__type)
        if (found) replaceIn(entry, found)
      }
  }
}

const listOf = (value: unknown): readonly Values[] =>
  (Array.isArray(value) ? value : [value]).filter(isObject) as readonly Values[]

function computedValue({ compute, place, plugin }: ComputedAttribute, from: Values): unknown {
  if (compute.kind === 'sql') throw new Error(`${place} is computed in SQL`)
  try {
    return compute.value(withNumbers(from))
  } catch (error) {
    const message = `${place}: ${error instanceof Error ? error.message : String(error)}`
    throw plugin === undefined
      ? new Error(message, { cause: error })
      : new PluginError(plugin, 'attribute:computed', message, error)
  }
}

/** `JSON` with the access to source texts that Node 22 has and the library of TypeScript does not declare. */
const json = JSON as unknown as {
  parse(text: string, revive: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
  rawJSON(text: string): unknown
  isRawJSON(value: unknown): boolean
}

const parse = (text: string): unknown =>
  json.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source
      ? json.rawJSON(source)
      : value,
  )

/** The values with plain numbers. */
const withNumbers = (values: Values): Values =>
  Object.values(values).some((value) => typeof value === 'object' && value !== null)
    ? JSON.parse(JSON.stringify(values))
    : values
