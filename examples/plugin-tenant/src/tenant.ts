import { UnauthorizedError } from '@octavo/core'
import {
  type Condition,
  compare,
  definePlugin,
  defineProblems,
  InvalidValue,
  type Model,
  type Plugin,
  type ScalarAttribute,
  type ScalarType,
  scalarTypes,
} from '@octavo/core/plugin'
import type {} from '@octavo/server' // its hooks

declare module '@octavo/core' {
  interface RequestState {
    /** The caller's tenant. Absent for programs, which read all entries. */
    readonly tenant?: string
  }
}

export interface TenantOptions {
  /** The names that `X-Tenant` may have. */
  readonly tenants: readonly string[]
}

/** Content-types are divided among tenants by `"pluginOptions": { "tenant": { "divided": true } }`. */
const isDivided = (pluginOptions: Readonly<Record<string, unknown>> | undefined): boolean =>
  (pluginOptions?.tenant as { divided?: boolean } | undefined)?.divided === true

/** The errors of the plugin, by the code that clients receive in `error.details.code`. */
const problem = defineProblems({
  'tenant/unknown': {
    error: UnauthorizedError,
    message: (d: { name: string }) => `There is no tenant "${d.name}".`,
  },
})

/** Divides content among tenants. */
export const tenant = ({ tenants }: TenantOptions): Plugin =>
  definePlugin({
    name: 'tenant',
    setup(host) {
      host.attributeType(tenantType(tenants))

      host.hook('definitions:extend', (definitions) => ({
        ...definitions,
        contentTypes: definitions.contentTypes.map((type) =>
          isDivided(type.pluginOptions)
            ? { ...type, attributes: { ...type.attributes, tenant: { type: 'tenant', searchable: false } } }
            : type,
        ),
      }))

      host.hook('server:authenticate', (context) => {
        const name = context.get('X-Tenant')
        if (name === '') return undefined
        if (!tenants.includes(name)) throw problem('tenant/unknown', { name })
        return { tenant: name }
      })

      // The statement differs between callers with and without a tenant, and is the same for all tenants: the fact
      // distinguishes the two, and the name is bound when the statement runs.
      const scoped = host.fact('has-tenant', (state) => String(state.tenant !== undefined))
      const name = host.runtimeValue('tenant', (state) => state.tenant ?? null)
      const everybody = host.param('allTenants', {
        read: (value) => {
          if (value === 'true' || value === 'false') return value === 'true'
          throw new InvalidValue('true or false')
        },
        default: false,
        scope: 'inherit',
      })
      host.hook('query:node', (node, context): Condition | undefined => {
        const attribute = tenantOf(node.model)
        if (!attribute || context.fact(scoped) === 'false' || node.param(everybody)) return undefined
        return compare(attribute, '$eq', name)
      })

      host.hook('entry:input', (input, { type, action, state }) => {
        if (!tenantOf(type) || state.tenant === undefined) return input
        const { tenant: _, ...rest } = input
        return action === 'create' ? { ...rest, tenant: state.tenant } : rest
      })

      const octavo = host.start((octavo) => octavo)
      const counted = new Map<string, number>()
      host.hook(
        'entry:committed',
        ({ state }) => void counted.set(state.tenant ?? '', (counted.get(state.tenant ?? '') ?? 0) + 1),
      )
      host.hook('octavo:stop', () =>
        host.logger.info({ writes: Object.fromEntries(counted) }, 'Writes by tenant'),
      )
      host.hook('server:routes', (routes) =>
        routes.add({
          method: 'GET',
          path: '/tenants',
          handler: (context) => {
            context.body = {
              tenants,
              types: [...octavo().registry.contentTypes.values()].filter(tenantOf).map(({ uid }) => uid),
            }
          },
        }),
      )
    },
  })

function tenantOf(model: Model): ScalarAttribute | undefined {
  const attribute = model.attributes.get('tenant')
  return attribute?.kind === 'scalar' && attribute.type.name === 'tenant' ? attribute : undefined
}

/** A text that is one of the tenants. */
function tenantType(tenants: readonly string[]): ScalarType {
  const text = scalarTypes.get('string')
  if (text?.kind !== 'scalar') throw new Error('core has no type "string"')
  return {
    ...text,
    name: 'tenant',
    constraints: (value) => (tenants.includes(String(value)) ? [] : [`must be one of ${tenants.join(', ')}`]),
  }
}
