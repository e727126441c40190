/** Prints whether the library is loaded: after the start of a server, and after its first request. */
import { registerHooks } from 'node:module'
import { silentLogger } from '@octavo/core'
import { graphql } from '@octavo/plugin-graphql'
import { createServer } from '@octavo/server'

let isLoaded = false
registerHooks({
  resolve(name, context, next) {
    if (name === 'graphql') isLoaded = true
    return next(name, context)
  },
})

const server = await createServer({
  database: process.argv[2] ?? 'memory://',
  logger: silentLogger,
  plugins: [graphql()],
  contentTypes: [
    {
      kind: 'collectionType',
      info: { singularName: 'book', pluralName: 'books' },
      attributes: { title: { type: 'string' } },
    },
  ],
})
const { url } = await server.listen(0, '127.0.0.1')
await (await fetch(`${url}/api/books`)).text()
console.log(isLoaded)
await (await fetch(`${url}/graphql?query={books{data{id}}}`)).text()
console.log(isLoaded)
await server.close()
