import type { ReactNode } from 'react'
import { ExtensionCell } from '../extensions/cell.tsx'
import { extensionFor, useExtensions } from '../extensions/registry.ts'
import { type Entry, labelOf, relatedIn } from '../model/entries.ts'
import { labelFieldOf } from '../model/layout.ts'
import {
  type AttributeDefinition,
  type ContentType,
  inWords,
  type Model,
  nounOf,
  targetOf,
} from '../model/model.ts'
import { readableLocales } from '../model/rights.ts'
import { useSession } from '../model/session.tsx'
import { Contained } from '../page-parts/contained.tsx'
import { StatePill, useStates } from '../page-parts/desk-parts.tsx'
import { beginningOf, dateOf, dayOf, joined, type Texts, useText } from '../text/index.ts'
import { isShown } from '../values/pictures.ts'
import type { Column } from './list-query.ts'

interface CellProps {
  readonly column: Column
  readonly entry: Entry
  readonly type: ContentType
  readonly model: Model
}

/** Keeps what a cell throws to the cell, which says so: the other cells of the list stay. */
export function CellPlace({ entry, label, children }: { entry: Entry; label: string; children: ReactNode }) {
  const text = useText()
  const instead = (again: () => void) => (
    <span className="cell-failed">
      {text.cellFailed(label)}{' '}
      <button type="button" className="linked" onClick={again}>
        {text.tryAgain}
      </button>
    </span>
  )
  return (
    <Contained of={entry} instead={instead}>
      {children}
    </Contained>
  )
}

export function Cell({ column, entry, type, model }: CellProps) {
  const text = useText()
  const { attributes } = entry
  const { cells } = useExtensions()
  const attribute = type.attributes[column.name]
  const cell = column.kind === 'value' && attribute ? extensionFor(cells, attribute) : undefined
  if (cell && attribute) return <ExtensionCell {...{ cell, entry, attribute }} name={column.name} />
  switch (column.kind) {
    case 'state':
      return <StatePill publishedAt={attributes.publishedAt} />
    case 'changed':
      return <span className="num">{dayOf(String(attributes.updatedAt ?? ''), text)}</span>
    case 'locales':
      return <LocaleDots entry={entry} type={type} />
    case 'relation': {
      const definition = type.attributes[column.name]
      const target = model.types.find(({ uid }) => definition && uid === targetOf(definition))
      const main = target && labelFieldOf(model, type.uid, column.name, target)
      const names = relatedIn(attributes[column.name]).map((one) =>
        labelOf(one, target, target ? nounOf(target) : '', text, main),
      )
      const shown = joined(names.slice(0, 3), text)
      return names.length > 3 ? `${shown} +${names.length - 3}` : shown
    }
    case 'value':
      return valueText(
        column.name === 'id' ? entry.id : attributes[column.name],
        type.attributes[column.name],
        text,
      )
  }
}

/** Letters of a text that a cell shows. */
const longestCell = 120

function valueText(value: unknown, definition: AttributeDefinition | undefined, text: Texts): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? text.yes : text.no
  if (definition?.type === 'enumeration') return inWords(String(value))
  if (definition?.type === 'date') return dateOf(String(value), text)
  if (definition?.type === 'datetime') return dayOf(String(value), text)
  const words = String(value)
  return words.length > longestCell ? `${beginningOf(words, longestCell)} …` : words
}

/** A dot for each language: full for a published version, blue for one that goes live later, ochre for a draft, hollow for none. */
export function LocaleDots({ entry, type }: { entry: Entry; type: ContentType }) {
  const text = useText()
  const locales = readableLocales(type, useSession())
  const all = [entry, ...relatedIn(entry.attributes.localizations)].map(({ attributes }) => attributes)
  const states = useStates(
    type.hasDrafts,
    all.map(({ publishedAt }) => publishedAt),
  )
  const versions = new Map(all.map(({ locale }, i) => [String(locale), states[i]]))
  const words = locales.flatMap(({ code, name }) => {
    const version = versions.get(code)
    return version ? [`${name}: ${version.words}`] : []
  })
  return (
    <span className="dots" role="img" aria-label={joined(words, text)}>
      {locales.map(({ code }) => (
        <i key={code} className={`dot ${versions.get(code)?.state ?? 'none'}`} />
      ))}
    </span>
  )
}

interface ThumbProps {
  readonly entry: Entry
  readonly field: string | undefined
}

/** A small picture beside the name, or the place of one. */
export const Thumb = (props: ThumbProps) => (
  <Contained of={props.entry} instead={() => <span className="mini" />}>
    <Picture {...props} />
  </Contained>
)

function Picture({ entry, field }: ThumbProps) {
  if (field === undefined) return null
  const [file] = relatedIn(entry.attributes[field])
  const { url, formats, mime } = file?.attributes ?? {}
  const small = (formats as Record<string, { readonly url?: string }> | null | undefined)?.thumbnail?.url
  const address = small ?? url
  return typeof address === 'string' && (mime === undefined || isShown(mime)) ? (
    <img className="mini" src={address} alt="" loading="lazy" />
  ) : (
    <span className="mini" />
  )
}
