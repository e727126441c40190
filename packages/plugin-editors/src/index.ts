/** The public surface of @octavo/plugin-editors. */

import '@octavo/core/engine'

export { createEditor, type NewEditor } from './create-editor.ts'
export { editors } from './editors.ts'
export type { EditorsOptions } from './options.ts'
export { problem as editorsProblem } from './problems.ts'
export type { ContentRight, GeneralRight, Right, RightAction } from './rights/right.ts'
