import { useMemo, useState } from 'react'
import type { FieldExtension, FieldState } from '../../extension.ts'
import type { ScalarNode } from '../../form/index.ts'
import { CustomField } from '../custom/custom-field.tsx'
import { customKindOf } from '../custom/known.ts'
import { MountPlace, nameOf } from '../extensions/mount.tsx'
import { type Defined, extensionFor, useExtensions } from '../extensions/registry.ts'
import { FieldNote, Frame } from '../field-frame/frame.tsx'
import { ScalarField } from '../inputs/scalar.tsx'
import { useEntry, useLook } from '../open-entry/context.ts'
import { useText } from '../text/index.ts'

/** A single value, drawn by an extension where one is for it; otherwise, and where the extension fails, by its type. */
export function ValueField({ node }: { node: ScalarNode }) {
  const text = useText()
  const extension = extensionFor(useExtensions().fields, node.definition)
  const [failed, setFailed] = useState<Defined<FieldExtension>>()
  if (!extension) return <OwnField node={node} />
  if (failed !== extension)
    return <ExtensionField {...{ node, extension }} onFail={() => setFailed(extension)} />
  return (
    <FieldNote value={text.extensionFailed(nameOf(extension))}>
      <OwnField node={node} />
    </FieldNote>
  )
}

/** The field of the desk for a value. */
const OwnField = ({ node }: { node: ScalarNode }) =>
  customKindOf(node.definition.customField) ? <CustomField node={node} /> : <ScalarField node={node} />

interface ExtensionFieldProps {
  readonly node: ScalarNode
  readonly extension: Defined<FieldExtension>
  readonly onFail: () => void
}

function ExtensionField({ node, extension, onFail }: ExtensionFieldProps) {
  return (
    <Frame node={node} isGroup>
      {({ 'aria-describedby': describedBy }) => <Mounted {...{ node, extension, onFail, describedBy }} />}
    </Frame>
  )
}

function Mounted({
  node,
  extension,
  onFail,
  describedBy,
}: ExtensionFieldProps & { describedBy: string | undefined }) {
  const { form, mayWrite } = useEntry()
  const { label, placeholder } = useLook(node)
  const { key, value, definition, errors } = node
  const disabled = !mayWrite(key)
  const error = errors.length > 0 ? errors.join(' ') : undefined
  const state = useMemo(
    (): FieldState => ({
      // A copy, since an extension may change the object that it gets.
      value: structuredClone(value),
      onChange: (next) => {
        if (!disabled) form.set(key, jsonOf(next), { typing: true })
      },
      ...{ disabled, error, attribute: definition },
      labels: { label, placeholder, describedBy, required: definition.required === true },
    }),
    [value, disabled, error, form, key, definition, label, placeholder, describedBy],
  )
  const [checked] = useState(() => ({
    ...extension,
    mount: (element: HTMLElement, field: FieldState) => {
      const mounted = extension.mount(element, field)
      if (typeof mounted?.update !== 'function') throw new Error('mount returns no update')
      return mounted
    },
  }))
  return <MountPlace of={checked} {...{ state, onFail }} />
}

/** A value as it is sent. @throws TypeError for one that has no JSON */
const jsonOf = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))
