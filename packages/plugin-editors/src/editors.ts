import { checkOptions } from '@octavo/core/internal'
import { definePlugin, type Plugin } from '@octavo/core/plugin'
import type { ManagedRoute } from '@octavo/server'
import { editorCommands } from './commands.ts'
import { editorType, roleType, withCreators } from './content-types.ts'
import { register } from './create-editor.ts'
import { describeDesk } from './describe/describe.ts'
import { addAccountRoutes } from './http/account-routes.ts'
import { addContentRoutes } from './http/content-routes.ts'
import { Desk, forwardedState } from './http/desk.ts'
import { addLayoutRoutes } from './http/layout-routes.ts'
import { addManagedRoutes } from './http/managed-routes.ts'
import { addModelRoutes } from './http/model-routes.ts'
import { addOpenIdRoutes } from './http/openid-routes.ts'
import { addPeopleRoutes } from './http/people-routes.ts'
import { addRoleRoutes } from './http/role-routes.ts'
import { addSecondFactorRoutes } from './http/second-factor-routes.ts'
import { layoutsSection } from './layouts/layouts.ts'
import { type EditorsOptions, optionKeys, withDefaults } from './options.ts'
import { authorize } from './rights/authorize.ts'
import { narrowReads } from './rights/narrow.ts'
import { guardWrites } from './rights/writes.ts'
import { editorsSection, rolesSection } from './sections.ts'
import { Service } from './service.ts'
import { declareTables } from './tables.ts'

/**
 * The people who write the content: accounts, sessions and roles in the database, with rights down to the field and the locale. They
 * read and write below `/desk/api`.
 *
 *     editors({ acceptUrl: 'https://example.org/desk/accept' })
 */
export const editors = (given: EditorsOptions = {}): Plugin =>
  definePlugin({
    name: 'editors',
    // Files become part of the input first. Locales and drafts are added to the input of editors afterwards, and the state of an editor
    // is found before that of a user.
    after: ['upload'],
    before: ['users-permissions', 'i18n', 'draft-publish'],
    setup(host) {
      checkOptions(given, optionKeys, 'editors')
      const settings = withDefaults(given)
      const tables = declareTables(host)
      const unrestricted = host.unrestricted('it narrows the reads and writes of editors by their own rights')
      host.contentType(editorType)
      host.contentType(roleType)
      host.hook('definitions:extend', withCreators)

      const rights = narrowReads(host, () => service().octavo)
      guardWrites(host, () => service().octavo.registry)
      // Without a start, as in a check of definitions, there are none.
      const managed: ManagedRoute[] = []
      const service = host.start((octavo) => {
        octavo.hooks.register('server:manage', () => ({ add: (route) => void managed.push(route) }))
        const { logger } = host
        return register(
          octavo,
          new Service({ octavo, tables, settings, logger, rights, unrestricted, managed }),
        )
      })
      host.hook('octavo:stop', () => service().mailer.close())

      const context = { octavo: () => service().octavo, rights }
      host.section('editorRoles', rolesSection(context))
      host.section('editors', editorsSection(context))
      host.section('layouts', layoutsSection(context.octavo, tables.layouts))

      host.hook('server:authenticate', forwardedState)
      host.hook('server:authorize', authorize)
      host.hook('server:routes', (routes) => {
        const desk = new Desk(routes, service)
        addAccountRoutes(desk)
        addSecondFactorRoutes(desk)
        addOpenIdRoutes(desk, settings.openId)
        addPeopleRoutes(desk)
        addRoleRoutes(desk)
        addContentRoutes(desk)
        addModelRoutes(desk)
        addLayoutRoutes(desk)
        addManagedRoutes(desk, managed)
      })
      host.hook('server:describe', (schemas) => describeDesk(schemas, managed))
      host.hook('server:listen', (url) => service().announceFirst(url))
      for (const [words, command] of editorCommands(service)) host.command(words, command)
    },
  })
