import { type ReactNode, useRef } from 'react'
import { describe } from '../../filters/index.ts'
import type { Model } from '../model/model.ts'
import { type Texts, useText } from '../text/index.ts'
import {
  conditionOf,
  type Draft,
  type DraftGroup,
  newGroup,
  newRow,
  placeOf,
  type ScopeFor,
} from './filter-draft.ts'
import { type Ground, wordsFor } from './filter-fields.ts'
import { Choice, FilterRow, Reversal } from './filter-row.tsx'

/** Groups within each other that are offered; those of an address may be deeper. */
const mostLevels = 4

export interface GroupTools {
  readonly model: Model
  readonly scopeFor: ScopeFor
  /** The key of the part that has the focus when it appears. */
  readonly focused: number
  /** Puts another part in the place of one; `undefined` takes it away. */
  readonly onChange: (key: number, part: Draft | undefined) => void
  /** Adds a part to a group. */
  readonly onMore: (group: number, part: Draft) => void
}

interface GroupProps extends GroupTools {
  readonly group: DraftGroup
  readonly ground: Ground
  readonly level: number
  /** Takes the group away; none for the outermost one. */
  readonly remove?: ReactNode
}

/** The parts of a group, and the buttons that add more. */
export function GroupParts({ group, ground, level, remove, ...tools }: GroupProps) {
  const text = useText()
  const more = useRef<HTMLButtonElement>(null)
  const inner = placeOf(tools.scopeFor(ground), group.of)?.ground ?? ground
  const scope = tools.scopeFor(inner)
  const isAlone = level === 1 && group.items.length === 1
  return (
    <>
      {(group.items.length > 1 || level > 1) && (
        <GroupHead {...{ group, ground, level, remove }} {...tools} isFirst={tools.focused === group.key} />
      )}
      {group.items.map((item) => (
        <Part
          key={item.key}
          {...{ item, level, isAlone }}
          {...tools}
          ground={inner}
          onRemove={() => {
            tools.onChange(item.key, undefined)
            more.current?.focus()
          }}
        />
      ))}
      <div className="row">
        <button
          ref={more}
          type="button"
          className="button quiet small"
          onClick={() => tools.onMore(group.key, newRow(scope))}
        >
          {text.moreCondition}
        </button>
        {level < mostLevels && (
          <button
            type="button"
            className="button quiet small"
            onClick={() => tools.onMore(group.key, newGroup(scope))}
          >
            {text.moreGroup}
          </button>
        )}
      </div>
    </>
  )
}

/** How the conditions of a group belong together, and what they are about. */
function GroupHead({
  group,
  ground,
  level,
  isFirst,
  remove,
  ...tools
}: GroupProps & { readonly isFirst: boolean }) {
  const text = useText()
  const { places } = tools.scopeFor(ground)
  const set = (change: Partial<DraftGroup>) => tools.onChange(group.key, { ...group, ...change })
  return (
    <div className="filter-row">
      {level > 1 && places.length > 0 && (
        <Choice
          label={text.filterAbout}
          value={group.of}
          choices={[['', text.filterSelf], ...places.map(({ path, label }) => [path, label] as const)]}
          isFirst={isFirst}
          onChange={(of) => {
            // A condition about another entry has other fields.
            const next = placeOf(tools.scopeFor(ground), of)?.ground ?? ground
            set({ of, items: [newRow(tools.scopeFor(next))] })
          }}
        />
      )}
      <Choice
        label={text.filterJoin}
        value={group.join}
        choices={[
          ['all', text.filterAll],
          ['any', text.filterAny],
        ]}
        isFirst={isFirst && places.length === 0}
        onChange={(join) => set({ join: join === 'any' ? 'any' : 'all' })}
      />
      {level > 1 && <Reversal isReversed={group.isReversed} onChange={(isReversed) => set({ isReversed })} />}
      {remove}
    </div>
  )
}

interface PartProps extends GroupTools {
  readonly item: Draft
  readonly ground: Ground
  readonly level: number
  /** Whether it is the only condition: without one there is nothing to show. */
  readonly isAlone: boolean
  readonly onRemove: () => void
}

function Part({ item, ground, level, isAlone, onRemove, ...tools }: PartProps) {
  const text = useText()
  const words = wordsOf(item, ground, tools, text)
  const remove = !isAlone && (
    <button type="button" className="button quiet small" aria-label={text.unlink(words)} onClick={onRemove}>
      ×
    </button>
  )
  if (item.kind === 'group')
    return (
      // biome-ignore lint/a11y/useSemanticElements: a fieldset has no flexible layout in all browsers
      <div role="group" className="filter-group" aria-label={words}>
        <GroupParts {...{ ground, remove }} {...tools} group={item} level={level + 1} />
      </div>
    )
  const row =
    item.kind === 'kept' ? (
      <p>{words}</p>
    ) : (
      <FilterRow
        row={item}
        scope={tools.scopeFor(ground)}
        isFirst={tools.focused === item.key}
        onChange={(changed) => tools.onChange(item.key, changed)}
      />
    )
  if (isAlone) return <div className="filter-row">{row}</div>
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has no flexible layout in all browsers
    <div role="group" className="filter-row" aria-label={words}>
      {row}
      {remove}
    </div>
  )
}

function wordsOf(item: Draft, ground: Ground, { scopeFor, model }: GroupTools, text: Texts): string {
  const condition = conditionOf(item, ground, scopeFor, text)
  return condition ? describe(condition, wordsFor(ground, model, text)) : text.filterGroup
}
