/** Octavo with the recorded content-types, open to everybody, with the rights of Strapi on related entries. */
import { silentLogger } from '@octavo/core'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { graphql } from '@octavo/plugin-graphql'
import { i18n } from '@octavo/plugin-i18n'
import { localDisk, upload } from '@octavo/plugin-upload'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { createServer } from '@octavo/server'
import { actions, components, contentTypes, locales } from './project.ts'

const server = await createServer({
  contentTypes,
  components,
  database: process.env.DATABASE_URL ?? 'memory://',
  rateLimit: false,
  logger: silentLogger,
  plugins: [
    i18n({ locales: ['en', ...Object.keys(locales)] }),
    draftPublish(),
    usersPermissions({
      permissions: {
        // The reference gives the actions of logins to both roles by itself.
        public: [
          ...actions,
          'plugin::users-permissions.auth.callback',
          'plugin::users-permissions.auth.register',
          // The reference replaces content with the right to upload.
          'plugin::upload.content-api.replace',
        ],
        authenticated: ['plugin::users-permissions.user.me', 'plugin::users-permissions.auth.changePassword'],
      },
      farSide: 'find',
    }),
    graphql({ defaultLimit: 10, amountLimit: 100, depthLimit: 20, introspection: true }),
    upload({ provider: localDisk({ folder: 'public/uploads' }) }),
  ],
})
await server.listen(Number(process.env.PORT), '127.0.0.1')
