import { type ReactNode, useContext } from 'react'
import type { ScalarNode } from '../../form/index.ts'
import { FieldNote, Frame } from '../field-frame/frame.tsx'
import { ScalarField } from '../inputs/scalar.tsx'
import { useEntry } from '../open-entry/context.ts'
import { dirOf, useText } from '../text/index.ts'
import { customKindOf, pluginOf } from './known.ts'
import { choicesOf, listIn, type TextList } from './lists.ts'

/** A value of a custom field of Strapi whose plugin is not here: by its type, with a hint, and unchanged unless it is edited. */
export function CustomField({ node }: { node: ScalarNode }) {
  const text = useText()
  const { customField, type, options } = node.definition
  const kind = customKindOf(customField) ?? 'other'
  const list = listIn(node.value, type)
  const choices = choicesOf(options)
  const note = useContext(FieldNote)
  const noted = (field: ReactNode) => (
    <FieldNote
      value={note ?? (kind === 'other' ? text.customOther(pluginOf(String(customField))) : text.custom[kind])}
    >
      {field}
    </FieldNote>
  )
  if (kind === 'choices' && list && choices.length > 0) return <Choices {...{ node, list, choices }} />
  if (kind === 'lines' && list?.items.every((item) => !item.includes('\n')))
    return noted(<Lines {...{ node, list }} />)
  const isText = ['string', 'text', 'richtext'].includes(type)
  // A line of text would lose the ends of lines, and Markdown is another thing than HTML.
  if (isText && (kind === 'html' || String(node.value ?? '').includes('\n')))
    return noted(<Source node={node} isHtml={kind === 'html'} />)
  return noted(<ScalarField node={node} />)
}

function Source({ node, isHtml }: { node: ScalarNode; isHtml: boolean }) {
  const { form, mayWrite, locale } = useEntry()
  return (
    <Frame node={node} aside={isHtml ? 'HTML' : undefined}>
      {(control) => (
        <textarea
          {...control}
          className={isHtml ? 'in code' : 'in'}
          lang={locale}
          dir={isHtml ? 'ltr' : dirOf(node.value)}
          spellCheck={!isHtml}
          readOnly={!mayWrite(node.key)}
          value={String(node.value ?? '')}
          onChange={({ target }) =>
            form.set(node.key, target.value === '' ? null : target.value, { typing: true })
          }
        />
      )}
    </Frame>
  )
}

interface ChoicesProps {
  readonly node: ScalarNode
  readonly list: TextList
  readonly choices: readonly { readonly value: string; readonly label: string }[]
}

/** A checkbox for each option, and for each value that is no option any more. The order of the values stays. */
function Choices({ node, list, choices }: ChoicesProps) {
  const text = useText()
  const { form, mayWrite } = useEntry()
  const known = new Set(choices.map(({ value }) => value))
  const gone = list.items.filter((item) => !known.has(item))
  const all = [...choices, ...gone.map((value) => ({ value, label: text.goneValue(value) }))]
  const set = (value: string, isChosen: boolean) => {
    const others = list.items.filter((item) => item !== value)
    form.set(node.key, list.withItems(isChosen ? [...others, value] : others))
  }
  return (
    <Frame node={node} isGroup>
      {() => (
        <div className="choices">
          {all.map(({ value, label }) => (
            <label key={value} className="check">
              <input
                type="checkbox"
                disabled={!mayWrite(node.key)}
                checked={list.items.includes(value)}
                onChange={({ target }) => set(value, target.checked)}
              />
              {label}
            </label>
          ))}
        </div>
      )}
    </Frame>
  )
}

/** A list of texts, one on each line. */
function Lines({ node, list }: { node: ScalarNode; list: TextList }) {
  const { form, mayWrite, locale } = useEntry()
  return (
    <Frame node={node}>
      {(control) => (
        <textarea
          {...control}
          className="in"
          lang={locale}
          dir={dirOf(list.items.join(''))}
          readOnly={!mayWrite(node.key)}
          value={list.items.join('\n')}
          onChange={({ target }) =>
            form.set(node.key, target.value === '' ? null : list.withItems(target.value.split('\n')), {
              typing: true,
            })
          }
        />
      )}
    </Frame>
  )
}
