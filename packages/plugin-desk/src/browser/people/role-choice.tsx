import { useText } from '../text/index.ts'
import type { Role } from './give.ts'

/** Roles to choose from, as boxes of a form with the name `roles`. */
export function RoleChoice({ roles, chosen }: { roles: readonly Role[]; chosen: readonly number[] }) {
  const text = useText()
  return (
    <fieldset className="role-choice">
      <legend>{text.roles}</legend>
      {roles.map(({ id, name, description }) => (
        <label key={id}>
          <input type="checkbox" name="roles" value={id} defaultChecked={chosen.includes(id)} />
          <span>
            {name}
            {description && <span className="hint"> {description}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
