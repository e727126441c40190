import type { AttributeType } from '../attribute-type.ts'
import type { ComponentDraft, ContentTypeDraft, Draft } from '../draft/drafts.ts'
import type { UnevenRelations } from './relation.ts'

/** The possible targets of an attribute. */
export interface Surroundings {
  readonly contentTypes: ReadonlyMap<string, ContentTypeDraft>
  readonly components: ReadonlyMap<string, ComponentDraft>
  readonly types: ReadonlyMap<string, AttributeType>
  /** The plugins that provide missing types, by type. */
  readonly absentTypes: ReadonlyMap<string, string>
  /** Called for an attribute that is omitted or simplified. */
  readonly absent: (type: string, draft: Draft, name: string) => void
  readonly simplified: (customField: string, type: string, draft: Draft, name: string) => void
  /** Called for a zone that lists no component, which is omitted. */
  readonly emptyZone: (draft: Draft, name: string) => void
  readonly uneven: UnevenRelations
}
