import { type FormEvent, useCallback, useState } from 'react'
import type { Condition } from '../../filters/index.ts'
import type { ContentType } from '../model/model.ts'
import { mayField } from '../model/rights.ts'
import { useSession } from '../model/session.tsx'
import { isPressed } from '../page-parts/pressed.ts'
import { useText } from '../text/index.ts'
import {
  conditionOf,
  type DraftGroup,
  draftOf,
  newGroup,
  type ScopeFor,
  withMore,
  withPart,
} from './filter-draft.ts'
import { type FilterScope, filterScope, type Ground, groundOf } from './filter-fields.ts'
import { GroupParts, type GroupTools } from './filter-group.tsx'

interface FilterFormProps {
  readonly type: ContentType
  /** The condition that is changed. Default: a new one is made. */
  readonly condition?: Condition | undefined
  /** @param condition `undefined` for none */
  readonly onApply: (condition: Condition | undefined) => void
  /** Adds the condition as another way to meet the last one; `undefined` without a last one. */
  readonly onEither?: ((condition: Condition | undefined) => void) | undefined
  readonly onCancel: () => void
}

/** The fields of each ground, which are looked for once. */
function useScopes(): ScopeFor {
  const text = useText()
  const { me, model } = useSession()
  const { step } = text.filterWords
  const [known] = useState(() => new Map<string, FilterScope>())
  return useCallback(
    (ground: Ground) => {
      const key = `${ground.uid} ${ground.within} ${ground.owner.uid}`
      const scope =
        known.get(key) ?? filterScope(ground, model, step, (uid, path) => mayField(me, uid, 'read', path))
      known.set(key, scope)
      return scope
    },
    [known, me, model, step],
  )
}

/** The draft of a condition, with the tools that change it. */
function useDraft(ground: Ground, condition: Condition | undefined) {
  const { model } = useSession()
  const scopeFor = useScopes()
  const [root, setRoot] = useState<DraftGroup>(() =>
    condition ? draftOf(condition, ground, scopeFor) : newGroup(scopeFor(ground)),
  )
  const [focused, setFocused] = useState(root.items[0]?.key ?? 0)
  const tools: GroupTools = {
    ...{ model, scopeFor, focused },
    onChange: (key, part) =>
      setRoot((now) => (part?.kind === 'group' && key === now.key ? part : withPart(now, key, () => part))),
    onMore: (group, part) => {
      setRoot((now) => withMore(now, group, part))
      setFocused(part.key)
    },
  }
  return { root, tools }
}

/** The form for a condition: a row for each comparison, and groups of them within each other. */
export function FilterForm({ type, condition, onApply, onEither, onCancel }: FilterFormProps) {
  const text = useText()
  const ground = groundOf(type)
  const { root, tools } = useDraft(ground, condition)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { submitter } = event.nativeEvent as SubmitEvent
    const isEither = submitter?.getAttribute('name') === 'either'
    ;(isEither ? onEither : onApply)?.(conditionOf(root, ground, tools.scopeFor, text))
  }
  return (
    <form
      className="new-filter"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (isPressed(event, 'Escape')) onCancel()
      }}
    >
      <GroupParts group={root} ground={ground} level={1} {...tools} />
      <div className="row">
        <button className="button" type="submit">
          {text.applyFilter}
        </button>
        {onEither && (
          <button className="button" type="submit" name="either">
            {text.filterOr}
          </button>
        )}
        <button className="button quiet" type="button" onClick={onCancel}>
          {text.cancel}
        </button>
      </div>
    </form>
  )
}
