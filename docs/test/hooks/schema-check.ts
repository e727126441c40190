import { ConfigurationError, sql } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'

/** Refuses authors who earn too much, which `octavo:start` of this plugin would refuse as well. */
export const plugin = definePlugin({
  name: 'example-schema-check',
  setup(host) {
    host.hook('schema:check', async ({ registry, store }) => {
      const { table } = registry.contentType('api::author.author')
      const rows = await store.run(sql`select "name" from ${sql.id(table)} where "salary" > 100`)
      const names = rows.map(({ name }) => name).join(', ')
      if (names !== '') throw new ConfigurationError(`The salary of ${names} is above 100: lower it first`)
    })
  },
})
