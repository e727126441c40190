import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useSession } from '../model/session.tsx'
import { Asked } from '../page-parts/asked.tsx'
import { SubmitRow } from '../page-parts/desk-parts.tsx'
import { Dialog } from '../page-parts/dialog.tsx'
import { useAttempt } from '../page-parts/trouble.tsx'
import { remove, request } from '../requests/api.ts'
import { useCreation } from '../requests/creation.ts'
import { TextField } from '../settings/setting.tsx'
import { useText } from '../text/index.ts'
import { lastDay } from '../values/dates.ts'
import { Named, ownerOf, shortNameOf, titleOfOwner, wordsOfAction } from './action-words.tsx'
import { useSecret } from './secret-note.tsx'
import type { Token } from './tokens.ts'

type Access = 'read-only' | 'full' | 'list'

interface NewTokenProps {
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Makes an API token. Its text is shown once. */
export function NewToken({ onDone, onClose }: NewTokenProps) {
  const text = useText()
  const { me } = useSession()
  const { isShown, show, note } = useSecret(text.tokenOnce)
  const create = useCreation<Token>({ queryKey: ['tokens'], path: 'tokens', items: (all) => all })
  const { attempt, trouble } = useAttempt()
  // Only who may do everything may give more than a list.
  const choices: readonly Access[] = me.may.everything === true ? ['read-only', 'full', 'list'] : ['list']
  const [access, setAccess] = useState<Access>(choices[0] ?? 'list')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const day = String(given.get('ends') ?? '')
    const body = {
      name: String(given.get('name')),
      access: access === 'list' ? given.getAll('actions').map(String) : access,
      // At the end of that day, by the clock of the person.
      ...(day !== '' && { expiresAt: new Date(`${day}T23:59:59`).toISOString() }),
    }
    void attempt(async () => {
      const make = async () =>
        (await request<{ readonly token: string }>('POST', 'tokens', { body })).body.token
      const isIt = ({ name, createdBy, lastUsedAt }: Token) =>
        name === body.name && createdBy === `editor ${me.person.id}` && lastUsedAt === null
      const found = async ({ id }: Token) => {
        // Its text was in the answer that was lost.
        await remove(`tokens/${id}`)
        return make()
      }
      show(await create({ body, make, isIt, found }))
      onDone()
    })
  }
  return (
    <Dialog title={text.newToken} onClose={onClose}>
      {trouble}
      {isShown ? (
        note
      ) : (
        <form className="sign-in" onSubmit={submit}>
          <TextField label={text.tokenName} name="name" />
          <TextField
            label={text.tokenEnds}
            name="ends"
            type="date"
            max={lastDay.date}
            required={false}
            hint={text.tokenEndsWhy}
          />
          <fieldset className="names">
            <legend>{text.tokenAccess}</legend>
            {choices.map((choice) => (
              <label key={choice}>
                <input
                  type="radio"
                  name="access"
                  checked={access === choice}
                  onChange={() => setAccess(choice)}
                />
                {text.accessNames[choice]}
              </label>
            ))}
          </fieldset>
          {access === 'list' && <Actions />}
          <SubmitRow label={text.makeToken} />
        </form>
      )}
    </Dialog>
  )
}

/** The actions that the person may give, by what they are for. */
function Actions() {
  const text = useText()
  const { model } = useSession()
  const actions = useQuery<readonly string[]>({
    queryKey: ['tokens', 'actions'],
    queryFn: ({ signal }) =>
      request<readonly string[]>('GET', 'tokens/actions', { signal }).then(({ body }) => body),
  })
  if (!actions.data) return <Asked of={{ [text.tokenAccess]: actions }} />
  const groups = Map.groupBy(actions.data, ownerOf)
  return [...groups].map(([owner, names]) => (
    <fieldset key={owner} className="names">
      <legend>{titleOfOwner(owner, model, text)}</legend>
      {names.map((name) => (
        <label key={name}>
          <input type="checkbox" name="actions" value={name} />
          <Named words={wordsOfAction(name, model, text)} name={shortNameOf(name)} />
        </label>
      ))}
    </fieldset>
  ))
}
