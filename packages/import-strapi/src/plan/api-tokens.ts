import type { Registry } from '@octavo/core/plugin'
import type { ApiTokenRecord } from '../records.ts'

/** A permission of an API token that allows nothing here. */
export interface LeftOfToken {
  readonly token: string
  readonly action: string
}

/** Actions of Strapi's plugins that Octavo's have too. */
const ofPlugins =
  /^plugin::(upload\.content-api|users-permissions\.(auth|user|role|permissions)|i18n\.locales)\./

/** The permissions of tokens for types and plugins that the server does not have. They stay with the token, which has no use of them. */
export const tokensLeft = (tokens: readonly ApiTokenRecord[], registry: Registry): readonly LeftOfToken[] =>
  tokens.flatMap(({ name, type, permissions }) =>
    type !== 'custom'
      ? []
      : permissions
          .filter(
            (action) =>
              !registry.contentTypes.has(action.slice(0, action.lastIndexOf('.'))) && !ofPlugins.test(action),
          )
          .map((action) => ({ token: name, action })),
  )
