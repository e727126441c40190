import { compare, definePlugin } from '@octavo/core/plugin'

/** Names the updates that raise a salary. The handler of `entry:statements` writes an event with the name. */
export const plugin = definePlugin({
  name: 'example-entry-change',
  setup(host) {
    host.hook(
      'entry:change',
      ({ type, input }) => {
        const salary = type.attributes.get('salary')
        if (typeof input.salary !== 'number' || salary?.kind !== 'scalar') return undefined
        return { name: 'raised', if: compare(salary, '$lt', input.salary) }
      },
      { types: ['api::author.author'] },
    )
  },
})
