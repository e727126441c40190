import { definePlugin, isUnrestricted } from '@octavo/core/plugin'

/** Hides salaries from everybody but programs with unrestricted access. */
export const plugin = definePlugin({
  name: 'example-query-attribute',
  setup(host) {
    const isStaff = host.fact('example-staff', (state) => String(isUnrestricted(state)))
    host.hook('query:attribute', ({ name }, _node, context) =>
      name === 'salary' && context.fact(isStaff) === 'false' ? false : undefined,
    )
  },
})
