import { definePlugin, isUnrestricted } from '@octavo/core/plugin'

/** Shows private attributes to programs with unrestricted access. */
export const plugin = definePlugin({
  name: 'example-query-private',
  setup(host) {
    const isStaff = host.fact('example-private-staff', (state) => String(isUnrestricted(state)))
    host.hook('query:private', (_attribute, _place, context) => context.fact(isStaff) === 'true')
  },
})
