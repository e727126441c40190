/** Projects of create-octavo compile, and their tests pass, with the packages of the workspace. */
import { runs } from '@octavo/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openProjects, type Projects, strapiProject } from '../test/projects.ts'

let projects: Projects
beforeAll(() => {
  projects = openProjects()
})
afterAll(() => projects.remove())

/** A project with all plugins is installed in the walk of the command line. Those with some of them, which are run each night, are between that one and one with none. */
const all: readonly (readonly [name: string, flags: readonly string[]])[] = [
  ['defaults', ['--yes']],
  ['none', ['--plugins', 'none', '--database', 'embedded']],
  ['moved', ['--from', strapiProject]],
  ['some', ['--plugins', 'i18n, desk,graphql,draft-publish,@octavo/plugin-users-permissions']],
  ['feeds', ['--plugins', 'webhooks,changes', '--database', 'embedded']],
  ['all', ['--plugins', 'all', '--database', 'postgres']],
]

it.each(all.slice(0, runs(3, all.length)))('a project compiles and passes its tests: %s', (name, flags) => {
  expect(projects.create(name, ...flags)).toMatchObject({ status: 0, stderr: '' })
  projects.compile(name)
  projects.test(name)
})
