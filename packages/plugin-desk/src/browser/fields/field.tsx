import { lazy, memo, Suspense } from 'react'
import { useNode } from '../entry/context.ts'
import { ValueField } from '../extensions/field.tsx'
import { ComponentsField } from './components.tsx'
import { MediaField } from './media.tsx'

// The list to choose from is a large part of the pages, and lists of entries do without it.
const RelationField = lazy(() => import('./relation.tsx'))

/** A field by its kind. */
export const FieldView = memo(function FieldView({ fieldKey }: { fieldKey: string }) {
  const node = useNode(fieldKey)
  switch (node?.kind) {
    case 'scalar':
      return <ValueField node={node} />
    case 'relation':
      return node.definition.type === 'media' ? (
        <MediaField node={node} />
      ) : (
        <Suspense fallback={<div className="field" />}>
          <RelationField node={node} />
        </Suspense>
      )
    case 'components':
      return <ComponentsField node={node} />
    default:
      return null
  }
})
