import type { OctavoError, RequestState } from '@octavo/core'
import type { HookHandler, PluginHost } from '@octavo/core/plugin'
import type { Action } from '@octavo/server'
import { problem } from './problems.ts'
import { callerOf, stateOfCaller } from './rights/caller.ts'
import type { Grants } from './rights/grants.ts'
import { stateOfAccount } from './roles/user-state.ts'
import type { Service } from './service.ts'

const refused = (): OctavoError => problem('auth/bad-credentials')

/** Identifies the caller of each request, and refuses actions that the caller is not granted. */
export function admitCallers(host: PluginHost, service: () => Service): void {
  host.hook('server:authenticate', (context) => authenticate(context, service()))
  host.hook('server:authorize', ({ name }: Action, state: RequestState) => {
    const caller = callerOf(state)
    if (!caller?.grants.of(name)) throw problem('auth/forbidden')
    // The object is created for this request and not shared.
    caller.admitted = name
  })
}

/**
 * The caller, by `Authorization: Bearer …`. A request without a token, or with another scheme, has the role `public`. An
 * invalid token gives a 401, so that the client does not mistake the public response for its own. Not async: most requests have no token, and
 * the rights of `public` are in memory.
 */
function authenticate(
  { req }: Parameters<HookHandler<'server:authenticate'>>[0],
  service: Service,
): RequestState | Promise<RequestState> {
  const token = bearerOf(req.headers.authorization)
  if (token !== undefined) return ofToken(token, service)
  const grants = service.loadPublicGrants()
  return grants instanceof Promise ? grants.then(ofPublic) : ofPublic(grants)
}

const ofPublic = (grants: Grants): RequestState => stateOfCaller({ grants })

function bearerOf(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined
  const [scheme = '', token = ''] = authorization.trim().split(/ +/, 2)
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined
}

async function ofToken(token: string, service: Service): Promise<RequestState> {
  const { directory } = service
  if (service.apiTokens.isOne(token)) {
    const found = await service.apiTokens.find(token)
    if (!found) throw refused()
    return { ...stateOfCaller({ grants: found.grants }), caller: `token ${found.id}` }
  }
  const claims = await service.tokens.read(token)
  const account = claims && (await directory.account(claims.id))
  if (!claims || !account || account.blocked || account.version !== claims.version) throw refused()
  if (claims.session !== undefined && !(await directory.isSessionActive(account, claims.session)))
    throw refused()
  return stateOfAccount(account, directory)
}
