import { ConfigurationError, OctavoError } from '@octavo/core'
import { foldEmail } from '@octavo/core/internal'
import type { OperatorCommand } from '@octavo/core/plugin'
import { isEmail } from './accounts/email.ts'
import { firstRole } from './accounts/people.ts'
import type { Service } from './service.ts'

/** `octavo editors create` and `list`, by their words. */
export const editorCommands = (service: () => Service): ReadonlyMap<string, OperatorCommand> =>
  new Map([
    [
      'editors create',
      {
        description:
          'adds an editor, with all rights unless a role is given, and prints the link that sets the password',
        arguments: '<email> [role]',
        run: async (_octavo, _flags, print, given = []) => {
          const [email = '', role = firstRole.name] = given
          await create(service(), addressOf(email, 'create'), role, print)
          return true
        },
      },
    ],
    [
      'editors reset',
      {
        description: 'turns the second factor of an editor off and prints a link that sets the password',
        arguments: '<email>',
        run: async (_octavo, _flags, print, given = []) => {
          const { link } = await service().people.reset(addressOf(given[0] ?? '', 'reset'))
          print(link)
          return true
        },
      },
    ],
    [
      'editors list',
      {
        description: 'lists the editors with their roles',
        run: async (_octavo, _flags, print) => {
          await list(service(), print)
          return true
        },
      },
    ],
  ])

/** An address in its stored form. @throws ConfigurationError */
function addressOf(given: string, command: 'create' | 'reset'): string {
  const email = foldEmail(given)
  if (isEmail(email)) return email
  throw new ConfigurationError(`octavo editors ${command} takes an address, e.g. ada@example.org`)
}

async function create(
  { people }: Service,
  email: string,
  role: string,
  print: (line: string) => void,
): Promise<void> {
  try {
    const { link, token } = await people.create({ email }, role)
    print(`${email} is an editor with the role "${role}". This link sets the password, once:`)
    print(link)
    print(`By HTTP: POST /desk/api/accept { "token": "${token}", "password": "…" }`)
  } catch (error) {
    throw error instanceof OctavoError ? new ConfigurationError(error.message) : error
  }
}

async function list({ people, roles: known }: Service, print: (line: string) => void): Promise<void> {
  const names = new Map((await known.list()).map(({ id, name }) => [id, name]))
  const all = await people.list()
  for (const { email, active, invited, roles } of all) {
    const state = active ? (invited ? 'invited' : 'active') : 'not active'
    print(`${email}  ${state}  ${roles.map((id) => names.get(id)).join(', ')}`)
  }
  if (all.length === 0) print('There is no editor. octavo editors create <email> makes one.')
}
