import type { HookHandler, OctavoError, RequestState } from '@octavo/core'
import { stateOfCaller } from './caller.ts'
import { problem } from './problems.ts'
import type { Service } from './service.ts'

const refused = (): OctavoError => problem('auth/bad-credentials')

/**
 * Who asks, by `Authorization: Bearer …`. Nothing, an empty token or another scheme is the role `public`; a token that
 * does not hold is 401, for a client that believes to be logged in must learn that it is not.
 */
export const authenticator =
  (running: () => Service) =>
  async (context: Parameters<HookHandler<'server:authenticate'>>[0]): Promise<RequestState> => {
    const service = running()
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
