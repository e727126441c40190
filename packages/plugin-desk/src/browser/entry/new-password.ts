import type { Form } from '../../form/index.ts'

/** Whether a password is typed that is not saved, which no copy on the device has. @param key Where it is looked for. Default: in the entry. */
export function hasNewPassword(form: Form, key = ''): boolean {
  const node = form.find(key)
  if (node?.kind === 'group') return Object.values(node.fields).some((at) => hasNewPassword(form, at))
  if (node?.kind === 'components') return node.items.some((at) => hasNewPassword(form, at))
  return node?.kind === 'scalar' && node.definition.type === 'password' && node.value !== undefined
}
