import type { ModelType, QueryModel } from '../query/model.ts'
import type { QueryState } from './state.ts'

/** The form, its model, and its state. */
export interface Form {
  readonly model: QueryModel
  readonly type: ModelType
  readonly state: QueryState
  /** The state at present; {@link state} is that of the time when the form was made. */
  readonly now: () => QueryState
  /** Changes the state; controls stay as they are. */
  readonly change: (changes: Partial<QueryState>) => void
  /** Changes the state and rebuilds the form. @param focus The id of the control that then has the focus. */
  readonly rebuild: (changes: Partial<QueryState>, focus: string) => void
}
