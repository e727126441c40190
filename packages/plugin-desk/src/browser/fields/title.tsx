import { Overlaps } from '../field-frame/frame.tsx'
import { BesideView } from '../field-frame/value-beside.tsx'
import { mistakeIn } from '../model/mistake-words.ts'
import { useSession } from '../model/session.tsx'
import { domId, useEntry, useNode } from '../open-entry/context.ts'
import { isShownOnly, lookOfNode } from '../open-entry/labels.ts'
import { isPressed } from '../page-parts/pressed.ts'
import { dirOf, isBlank, useText } from '../text/index.ts'

/** The attribute that names the entry, in large letters. */
export function TitleField({ fieldKey }: { fieldKey: string }) {
  const text = useText()
  const node = useNode(fieldKey)
  const entry = useEntry()
  const { form, mayWrite, locale } = entry
  const { model } = useSession()
  if (node?.kind !== 'scalar') return null
  const id = domId(entry, fieldKey)
  const { label, description, placeholder: given } = lookOfNode(form, model, node)
  const isRequired = node.definition.required === true
  const placeholder = given ?? (isRequired ? `${label} *` : label)
  const isWrong = node.errors.length > 0
  return (
    <div className={isWrong ? 'field wrong' : 'field'}>
      <h1 className="hidden">
        {typeof node.value === 'string' && !isBlank(node.value) ? node.value : label}
      </h1>
      <textarea
        id={id}
        className="title"
        lang={locale}
        dir={dirOf(node.value)}
        rows={1}
        aria-label={label}
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? `${id}-error` : undefined}
        aria-required={isRequired || undefined}
        autoComplete="off"
        placeholder={placeholder}
        readOnly={!mayWrite(fieldKey)}
        value={String(node.value ?? '')}
        onKeyDown={(event) => {
          if (isPressed(event, 'Enter')) event.preventDefault()
        }}
        onChange={({ target }) => {
          const value = target.value.replaceAll(/\r?\n/g, ' ')
          form.set(fieldKey, value === '' ? null : value, { typing: true })
        }}
      />
      <BesideView node={node} />
      {isWrong && (
        <p className="error" id={`${id}-error`}>
          {node.errors.map((error) => mistakeIn(label, error, text)).join(' ')}
        </p>
      )}
      {description !== undefined && <p className="hint">{description}</p>}
      {!mayWrite(fieldKey) && (
        <p className="hint">{isShownOnly(form, model, fieldKey) ? text.shownOnly : text.readOnly}</p>
      )}
      <Overlaps node={node} />
    </div>
  )
}
