import { memo, Suspense } from 'react'
import { Frame } from '../field-frame/frame.tsx'
import { useNode } from '../open-entry/context.ts'
import { Contained } from '../page-parts/contained.tsx'
import { Waiting } from '../page-parts/desk-parts.tsx'
import { pageOf, Shown } from '../page-parts/page.tsx'
import { ComponentsField } from './components.tsx'
import { ValueField } from './extension-field.tsx'
import { FailedField } from './failed-field.tsx'
import { MediaField } from './media.tsx'

// The list to choose from is a large part of the pages, and lists of entries do without it.
const relationField = pageOf(() => import('./relation.tsx'))

/** A field. A field that cannot be drawn says so in its place. */
export const FieldView = memo(function FieldView({ fieldKey }: { fieldKey: string }) {
  return (
    <Contained instead={(again, error) => <FailedField {...{ fieldKey, again, error }} />}>
      <FieldByKind fieldKey={fieldKey} />
    </Contained>
  )
})

function FieldByKind({ fieldKey }: { fieldKey: string }) {
  const node = useNode(fieldKey)
  switch (node?.kind) {
    case 'scalar':
      return <ValueField node={node} />
    case 'relation':
      return node.definition.type === 'media' ? (
        <MediaField node={node} />
      ) : (
        <Suspense
          fallback={
            <Frame node={node} isGroup>
              {() => <Waiting />}
            </Frame>
          }
        >
          <Shown page={relationField} props={{ node }} />
        </Suspense>
      )
    case 'components':
      return <ComponentsField node={node} />
    default:
      return null
  }
}
