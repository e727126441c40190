import { ConfigurationError, type Octavo } from '@octavo/core'
import { foldEmail } from '@octavo/core/internal'
import { isEmail } from './accounts/email.ts'
import { firstRole } from './accounts/people.ts'
import { newPassword } from './http/request.ts'
import type { Service } from './service.ts'

/** An editor that a program makes. */
export interface NewEditor {
  readonly email: string
  /** At least 8 characters and at most 72 bytes. */
  readonly password: string
  readonly firstname?: string
  readonly lastname?: string
  /** The name of a role. Default: the role that may do everything. */
  readonly role?: string
}

const services = new WeakMap<Octavo, Service>()

/** Makes the service of an octavo known to {@link createEditor}. */
export function register(octavo: Octavo, service: Service): Service {
  services.set(octavo, service)
  return service
}

/**
 * Makes an editor with a password, from a program: for a development server or a test.
 *
 *     await createEditor(server.octavo, { email: 'ada@example.org', password: 'a long password' })
 *
 * @returns false when a person with this address exists, who is not changed
 * @throws ConfigurationError for an invalid address or password, and without the plugin
 * @throws NotFoundError for a role that does not exist
 */
export async function createEditor(
  octavo: Octavo,
  { email: written, password, role = firstRole.name, ...names }: NewEditor,
): Promise<boolean> {
  const service = services.get(octavo)
  if (!service) throw new ConfigurationError('createEditor needs the plugin editors')
  const email = foldEmail(written)
  if (!isEmail(email)) throw new ConfigurationError('createEditor takes an address, such as ada@example.org')
  const wrong = newPassword.check(password)
  if (wrong !== undefined) throw new ConfigurationError(`createEditor: the password ${wrong}`)
  if (await service.people.has(email)) return false
  await service.people.create({ email, ...names }, role, password)
  return true
}
