import { describeServer, openapi } from '@octavo/plugin-openapi'
import { localDisk, upload } from '@octavo/plugin-upload'
import { afterEach, expect, it } from 'vitest'
import { type DeskSite, openDesk } from './desk.ts'

let site: DeskSite
afterEach(() => site?.close())

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly security?: unknown }>>>>
  readonly security: readonly object[]
  readonly components: { readonly securitySchemes: object }
}

it('The description of the API has every route of the desk, with the session that it needs', async () => {
  site = await openDesk({}, { plugins: [upload({ provider: localDisk({ folder: '/nowhere' }) }), openapi()] })
  const all = describeServer(site.server) as Description
  const described = Object.entries(all.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { security }]) =>
      path.startsWith('/desk/') && method !== 'parameters'
        ? [[`${method.toUpperCase()} ${path}`, security] as const]
        : [],
    ),
  )
  const isGeneric = (path: string): boolean => path.includes('/content/')
  const routes = site.server
    .endpoints()
    .filter(({ path }) => path.startsWith('/desk/') && !isGeneric(path))
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
  expect(
    described
      .map(([name]) => name)
      .filter((name) => !isGeneric(name))
      .sort(),
  ).toEqual(routes.sort())
  const open = described.flatMap(([name, security]) => (JSON.stringify(security) === '[]' ? [name] : []))
  const names = ['accept', 'first', 'forgot-password', 'login', 'logout']
  expect(open.sort()).toEqual(['GET /desk/api/sign-in', ...names.map((name) => `POST /desk/api/${name}`)])
  for (const [name, security] of described)
    if (!open.includes(name)) expect([name, security]).toEqual([name, [{ deskSession: [] }]])
  // The cookie does nothing below /api.
  expect(JSON.stringify(all.security)).not.toContain('deskSession')
})

it('The description for a caller of the content endpoints has no routes of the desk', async () => {
  site = await openDesk({}, { plugins: [openapi()] })
  const { body } = await site.visitor().get('/api/openapi.json')
  expect(Object.keys(body.paths).filter((path) => path.startsWith('/desk'))).toEqual([])
  expect(Object.keys(body.paths)).toContain('/api/articles')
  expect(Object.keys(body.components.securitySchemes)).not.toContain('deskSession')
})
