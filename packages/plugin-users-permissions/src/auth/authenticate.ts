import type { HookHandler, OctavoError, PluginHost, RequestState } from '@octavo/core'
import type { Action } from '@octavo/server'
import { problem } from '../problems.ts'
import { callerOf, stateOfCaller } from '../rights/caller.ts'
import type { Service } from '../service.ts'

const refused = (): OctavoError => problem('auth/bad-credentials')

/** Finds out the caller of each request, and lets it in only for an action that the caller is granted. */
export function admitCallers(host: PluginHost, service: () => Service): void {
  host.hook('server:authenticate', (context) => authenticate(context, service()))
  host.hook('server:authorize', ({ name }: Action, state: RequestState) => {
    const caller = callerOf(state)
    if (!caller?.grants.of(name)) throw problem('auth/forbidden')
    // It belongs to this request alone.
    caller.admitted = name
  })
}

/**
 * The caller, by `Authorization: Bearer …`. Without a token, or with another scheme, it is the role `public`; a token that
 * is not valid is 401, because a client that believes to be logged in must learn that it is not.
 */
async function authenticate(
  context: Parameters<HookHandler<'server:authenticate'>>[0],
  service: Service,
): Promise<RequestState> {
  const { directory } = service
  const [scheme = '', token = ''] = context.get('Authorization').trim().split(/ +/, 2)
  if (scheme.toLowerCase() !== 'bearer' || token === '')
    return stateOfCaller({ grants: await service.loadPublicGrants() })
  if (service.apiTokens.isOne(token)) {
    const grants = await service.apiTokens.grants(token)
    if (!grants) throw refused()
    return stateOfCaller({ grants })
  }
  const claims = await service.tokens.read(token)
  const account = claims && (await directory.account(claims.id))
  if (!claims || !account || account.blocked || account.version !== claims.version) throw refused()
  if (claims.session !== undefined && !(await directory.goesOn(account, claims.session))) throw refused()
  return stateOfCaller({ grants: await directory.grants(account.roleId), userId: account.id })
}
