/** Programs that use the packages. */

/** The call that makes a plugin, where it needs options. */
const calls = { webhooks: 'webhooks({ webhooks: [] })' }

const factoryOf = (name) =>
  name.replace('@octavo/plugin-', '').replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase())
const callOf = (name) => calls[factoryOf(name)] ?? `${factoryOf(name)}()`

/**
 * A program that serves a content-type from memory, answers one request and prints its processor time until it listened in seconds, and
 * the size of its JavaScript objects after the answer in MB of 1,048,576 bytes. It needs `--expose-gc`.
 */
export const program = (plugins) => `const { createServer } = await import('@octavo/server')
${plugins.map((name) => `const { ${factoryOf(name)} } = await import('${name}')`).join('\n')}
const article = {
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  attributes: { title: { type: 'string' } },
}
const server = await createServer({
  contentTypes: [article],
  database: 'memory://',
  plugins: [${plugins.map(callOf).join(', ')}],
})
const { url } = await server.listen(0, '127.0.0.1')
const { user, system } = process.cpuUsage()
const { status } = await fetch(url + '/api/articles')
globalThis.gc()
const { heapUsed } = process.memoryUsage()
await server.close()
if (status !== ${plugins.some((name) => name.endsWith('users-permissions')) ? 403 : 200}) throw new Error('answered ' + status)
console.log(JSON.stringify({ start: (user + system) / 1e6, memory: heapUsed / 1048576 }))
`
