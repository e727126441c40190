import type { ContentType } from '../content-type/model.ts'
import { problem } from '../error/problems.ts'
import { child, parameter } from './path.ts'
import type { ParamPath, RawPopulate, RawValue } from './raw.ts'

interface Foreign {
  readonly plugin: string
  readonly instead: string
}

const instead = 'name the relations to populate, such as populate[blocks][populate]=*'

/** Parameters of popular plugins of the reference without a counterpart. Source: the plugins' documentation. */
const parameters: Readonly<Record<string, Foreign>> = {
  pLevel: { plugin: 'populate-deep', instead },
  customPopulate: { plugin: 'nested-populator', instead },
  customDepth: { plugin: 'nested-populator', instead },
  customIgnored: { plugin: 'nested-populator', instead },
  randomSort: { plugin: 'random-sort', instead: 'shuffle the entries in the client' },
}

/** Names in `populate` by which such plugins populate everything. */
const names: Readonly<Record<string, Foreign>> = {
  deep: { plugin: 'populate-deep', instead },
  all: { plugin: 'populate-all', instead },
}

const at = parameter('populate')

/** Whether {@link foreignPopulate} warns about a name at the place. */
export const isForeignText = (name: string, place: ParamPath): boolean =>
  Object.hasOwn(names, name) && place === at

/**
 * Refuses a parameter of such a plugin, since the response would lack data that the client relies on. Other undeclared
 * names are ignored.
 * @throws ValidationError `query/foreign-parameter`
 */
export function refuseForeign(name: string): void {
  const found = Object.hasOwn(parameters, name) ? parameters[name] : undefined
  if (found) throw problem('query/foreign-parameter', { at: name, ...found })
}

/**
 * Refuses `populate=deep,3`, in which the number is not a name.
 * @throws ValidationError `query/foreign-parameter`
 */
export function refuseDepth(value: RawValue): void {
  const [, name = ''] = typeof value === 'string' ? (/^(\w+),\s*\d+$/.exec(value) ?? []) : []
  const found = Object.hasOwn(names, name) ? names[name] : undefined
  if (found) throw problem('query/foreign-parameter', { at: `populate=${name},…`, ...found })
}

/**
 * Checks `populate` for names of such plugins that the content-type does not have. `populate[deep]=true`, `populate[0]=deep`
 * and other forms are refused. The text `populate=deep` is answered as the reference answers it without the plugin, which
 * populates nothing: recorded exchange populate-081.
 *
 * @param strict Whether that text is refused as well.
 * @returns a warning about such a text, or `undefined`.
 * @throws ValidationError `query/foreign-parameter`
 */
export function foreignPopulate(
  { named }: RawPopulate,
  type: ContentType,
  strict: boolean,
): string | undefined {
  for (const [name, found] of Object.entries(names)) {
    const place = named.get(name)
    if (!place || type.attributes.has(name)) continue
    const { message } = problem('query/foreign-parameter', { at: `populate=${name}`, ...found })
    if (place.at === at && !strict) return message
    throw problem('query/foreign-parameter', {
      at:
        place.at === at
          ? `populate=${name}`
          : place.at === child(at, name)
            ? place.at
            : `${place.at}=${name}`,
      ...found,
    })
  }
  return undefined
}
